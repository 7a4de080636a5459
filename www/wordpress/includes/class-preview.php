<?php
/**
 * The preview in the settings.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * The site's own front page with a widget that is not switched on yet, for administrators alone.
 */
final class Preview {

	const WIDGET = 'shingle-roof-estimates-preview';
	const NONCE  = 'shingle-roof-estimates-key';

	/**
	 * Hooks.
	 */
	public static function start() {
		add_filter( 'show_admin_bar', array( self::class, 'bar' ) );
	}

	/**
	 * The address of the preview.
	 *
	 * @param string $id Widget.
	 * @return string
	 */
	public static function address( $id ) {
		return add_query_arg(
			array(
				self::WIDGET => $id,
				self::NONCE  => wp_create_nonce( self::WIDGET . $id ),
			),
			home_url( '/' )
		);
	}

	/**
	 * The widget that this request previews.
	 *
	 * @return array|null
	 */
	public static function widget() {
		if ( is_admin() || ! isset( $_GET[ self::WIDGET ], $_GET[ self::NONCE ] ) || ! current_user_can( 'manage_options' ) ) {
			return null;
		}
		$id = sanitize_key( wp_unslash( $_GET[ self::WIDGET ] ) );
		return wp_verify_nonce( sanitize_key( wp_unslash( $_GET[ self::NONCE ] ) ), self::WIDGET . $id ) ? Settings::widget( $id ) : null;
	}

	/**
	 * Visitors have no bar of WordPress.
	 *
	 * @param bool $is_shown Usually.
	 * @return bool
	 */
	public static function bar( $is_shown ) {
		return self::widget() ? false : $is_shown;
	}
}
