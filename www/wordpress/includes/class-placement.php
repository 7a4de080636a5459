<?php
/**
 * The estimate of the whole site.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Which widget every page has, and which pages have none.
 */
final class Placement {

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'wp_enqueue_scripts', array( self::class, 'place' ) );
	}

	/**
	 * Asks for the script where the page has the whole site's estimate.
	 */
	public static function place() {
		$widget = self::here();
		if ( $widget ) {
			Script::ask( $widget );
		}
	}

	/**
	 * The widget that this page shows besides what was put into it.
	 *
	 * @return array|null
	 */
	private static function here() {
		$previewed = Preview::widget();
		if ( $previewed ) {
			return $previewed;
		}
		$display = Settings::display();
		if ( '' === $display['sitewide'] || is_embed() || Request::is_of_builder() ) {
			return null;
		}
		$shown  = is_singular() || ( is_home() && ! is_front_page() ) ? get_queried_object_id() : 0;
		$hidden = $shown && get_post_meta( $shown, Settings::HIDDEN, true );
		return $hidden || Request::is_listed( $display['paths'] ) ? null : Settings::widget( $display['sitewide'] );
	}
}
