<?php
/**
 * The script tag.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Puts the widget's script into the page: one tag for each widget, which no optimizing plugin may change.
 */
final class Script {

	const PREFIX = 'shingle-roof-estimates-widget-';

	/**
	 * What keeps optimizers off, by what each documents: Cloudflare Rocket Loader, LiteSpeed Cache (two), WP Rocket
	 * (two), Autoptimize, Jetpack Boost, WP Fastest Cache, WP Meteor, PageSpeed module. The last two: a consent banner
	 * that blocks every script of another host (Cookiebot, OneTrust) leaves it, as it is necessary unless the
	 * settings name a category.
	 */
	const ATTRIBUTES = 'data-cfasync="false" data-no-optimize="1" data-no-defer="1" nowprocket data-no-minify="1" data-noptimize="1" data-jetpack-boost="ignore" data-wpfc-render="false" data-wpmeteor-nooptimize="true" data-pagespeed-no-defer';
	const NECESSARY  = 'data-cookieconsent="ignore" data-ot-ignore';

	/**
	 * Hooks.
	 */
	public static function start() {
		// Others change tags too; this has the last word.
		add_filter( 'script_loader_tag', array( self::class, 'tag' ), PHP_INT_MAX, 3 );
	}

	/**
	 * Asks for a widget's script, once.
	 *
	 * @param array $widget As Settings::widget() returns it.
	 */
	public static function ask( array $widget ) {
		// Documents for AMP allow no script of ours; what was put into a page is a link there.
		if ( ( function_exists( 'amp_is_request' ) && amp_is_request() ) || is_feed() ) {
			return;
		}
		if ( Consent::waits() ) {
			Consent::ask( $widget );
			return;
		}
		// A banner at the top pushes the page down where it comes before the page, and lies over it otherwise.
		$in_footer = 'banner' !== $widget['kind'];
		// phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion -- The server says how long its script may be kept.
		wp_enqueue_script( self::PREFIX . $widget['id'], Settings::address_of( $widget['id'], '.js' ), array(), null, $in_footer );
	}

	/**
	 * The tag as it has to be.
	 *
	 * @param string $tag    As WordPress has written it.
	 * @param string $handle Script.
	 * @param string $src    Address.
	 * @return string
	 */
	public static function tag( $tag, $handle, $src ) {
		if ( 0 !== strpos( $handle, self::PREFIX ) ) {
			return $tag;
		}
		// phpcs:ignore WordPress.WP.EnqueuedResources.NonEnqueuedScript -- This is the tag of an enqueued script.
		return '<script async src="' . esc_url( $src ) . '" id="' . esc_attr( $handle ) . '-js" ' . self::ATTRIBUTES . ' ' . self::NECESSARY . '></script>' . "\n";
	}
}
