<?php
/**
 * Plugins that minify, combine, defer or delay scripts.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Names the script in the lists of exceptions that each of them has. The tag's attributes say the same to those that read
 * tags; lists are for those that rewrite the whole page.
 */
final class Optimizers {

	/** Lists of parts of addresses. */
	const ADDRESSES = array(
		// WP Rocket.
		'rocket_exclude_js',
		'rocket_exclude_defer_js',
		'rocket_delay_js_exclusions',
		// LiteSpeed Cache; the last is its guest mode.
		'litespeed_optimize_js_excludes',
		'litespeed_optm_js_defer_exc',
		'litespeed_optm_gm_js_exc',
		// Speed Optimizer of SiteGround.
		'sgo_javascript_combine_excluded_external_paths',
		// Perfmatters.
		'perfmatters_delay_js_exclusions',
		'perfmatters_defer_js_exclusions',
		// WP-Optimize.
		'wp-optimize-minify-default-exclusions',
		// FlyingPress.
		'flying_press_exclude_from_minify:js',
		'flying_press_exclude_from_delay:js',
		'flying_press_exclude_from_defer:js',
	);

	/** Lists of handles. */
	const HANDLES = array(
		'sgo_javascript_combine_exclude',
		'sgo_js_minify_exclude',
		'sgo_js_async_exclude',
		'jetpack_boost_render_blocking_js_exclude_handles',
	);

	/**
	 * Hooks.
	 */
	public static function start() {
		foreach ( self::ADDRESSES as $list ) {
			add_filter( $list, array( self::class, 'address' ) );
		}
		foreach ( self::HANDLES as $list ) {
			add_filter( $list, array( self::class, 'handles' ) );
		}
		add_filter( 'rocket_minify_excluded_external_js', array( self::class, 'host' ) );
		add_filter( 'autoptimize_filter_js_exclude', array( self::class, 'autoptimize' ) );
		add_filter( 'w3tc_minify_js_do_tag_minification', array( self::class, 'w3tc' ), 10, 3 );
		add_filter( 'wpmeteor_exclude', array( self::class, 'meteor' ), 10, 2 );
	}

	/**
	 * What all of our scripts' addresses hold.
	 *
	 * @return string Empty without a connection.
	 */
	private static function part() {
		$connection = Settings::connection();
		return $connection ? (string) preg_replace( '~^https?://~', '', $connection['server'] ) . '/w/' : '';
	}

	/**
	 * One list with one more entry, which some plugins keep as text.
	 *
	 * @param mixed  $entries List.
	 * @param string $more    Entry.
	 * @return mixed
	 */
	private static function with( $entries, $more ) {
		if ( '' === $more ) {
			return $entries;
		}
		if ( is_string( $entries ) ) {
			return '' === $entries ? $more : $entries . ',' . $more;
		}
		$entries   = is_array( $entries ) ? $entries : array();
		$entries[] = $more;
		return $entries;
	}

	/**
	 * Part of the address. Some read it as a pattern, so its dots are dots in either reading.
	 *
	 * @param mixed $entries List.
	 * @return mixed
	 */
	public static function address( $entries ) {
		return self::with( $entries, self::part() );
	}

	/**
	 * The host alone.
	 *
	 * @param mixed $entries List.
	 * @return mixed
	 */
	public static function host( $entries ) {
		return self::with( $entries, (string) strtok( self::part(), '/' ) );
	}

	/**
	 * Handles of all widgets.
	 *
	 * @param mixed $entries List.
	 * @return mixed
	 */
	public static function handles( $entries ) {
		$connection = Settings::connection();
		foreach ( $connection ? $connection['widgets'] : array() as $widget ) {
			$entries = self::with( $entries, Script::PREFIX . $widget['id'] );
		}
		return $entries;
	}

	/**
	 * Autoptimize keeps a text, or a list whose keys are the entries.
	 *
	 * @param mixed $entries List.
	 * @return mixed
	 */
	public static function autoptimize( $entries ) {
		if ( is_array( $entries ) && '' !== self::part() ) {
			$entries[ self::part() ] = '';
			return $entries;
		}
		return self::with( $entries, self::part() );
	}

	/**
	 * W3 Total Cache asks for each tag.
	 *
	 * @param bool   $does Whether it minifies.
	 * @param string $tag  Script.
	 * @param string $file Address.
	 * @return bool
	 */
	public static function w3tc( $does, $tag = '', $file = '' ) {
		$part = self::part();
		return '' !== $part && false !== strpos( $tag . $file, $part ) ? false : $does;
	}

	/**
	 * WP Meteor asks for each tag.
	 *
	 * @param bool   $is_left Whether it leaves it.
	 * @param string $content Address or code.
	 * @return bool
	 */
	public static function meteor( $is_left, $content = '' ) {
		$part = self::part();
		return '' !== $part && false !== strpos( (string) $content, $part ) ? true : $is_left;
	}
}
