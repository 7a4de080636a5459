<?php
/**
 * A page without the whole site's estimate.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * A box beside the editor of each page, which also works where addresses say nothing (plain permalinks).
 */
final class Hidden_Page {

	const NONCE = 'shingle_roof_estimates_hidden';

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'add_meta_boxes', array( self::class, 'add' ) );
		add_action( 'save_post', array( self::class, 'save' ), 10, 2 );
	}

	/**
	 * Adds the box where pages are seen by visitors and the site shows an estimate.
	 *
	 * @param string $type Of the page.
	 */
	public static function add( $type ) {
		if ( is_post_type_viewable( $type ) && '' !== Settings::display()['sitewide'] ) {
			add_meta_box( 'shingle-roof-estimates', __( 'Roof estimate', 'shingle-roof-estimates' ), array( self::class, 'show' ), $type, 'side', 'low' );
		}
	}

	/**
	 * The box.
	 *
	 * @param \WP_Post $post Page.
	 */
	public static function show( $post ) {
		wp_nonce_field( self::NONCE . $post->ID, self::NONCE );
		printf(
			'<label><input type="checkbox" name="%1$s" value="1" %2$s> %3$s</label>',
			esc_attr( Settings::HIDDEN ),
			checked( (bool) get_post_meta( $post->ID, Settings::HIDDEN, true ), true, false ),
			esc_html__( 'Don’t show the site’s button or banner here', 'shingle-roof-estimates' )
		);
	}

	/**
	 * Keeps the choice.
	 *
	 * @param int      $id   Page.
	 * @param \WP_Post $post Page.
	 */
	public static function save( $id, $post ) {
		$nonce = isset( $_POST[ self::NONCE ] ) ? sanitize_key( wp_unslash( $_POST[ self::NONCE ] ) ) : '';
		if ( ! wp_verify_nonce( $nonce, self::NONCE . $id ) || wp_is_post_autosave( $id ) || wp_is_post_revision( $post ) || ! current_user_can( 'edit_post', $id ) ) {
			return;
		}
		if ( isset( $_POST[ Settings::HIDDEN ] ) ) {
			update_post_meta( $id, Settings::HIDDEN, '1' );
		} else {
			delete_post_meta( $id, Settings::HIDDEN );
		}
	}
}
