<?php
/**
 * Translations that ship with the plugin.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * One Spanish for all countries that speak it: a site in es_MX or es_US gets the same file as one in es_ES.
 */
final class Languages {

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'init', array( self::class, 'load' ), 1 );
		add_filter( 'load_textdomain_mofile', array( self::class, 'mofile' ), 10, 2 );
		add_filter( 'load_script_translation_file', array( self::class, 'script_file' ), 10, 3 );
	}

	/**
	 * The shipped translations; those of WordPress.org come first where there are some.
	 */
	public static function load() {
		// phpcs:ignore PluginCheck.CodeAnalysis.DiscouragedFunctions.load_plugin_textdomainFound -- The plugin is also installed from a file, with translations of its own.
		load_plugin_textdomain( 'shingle-roof-estimates', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	}

	/**
	 * The file of PHP's sentences.
	 *
	 * @param string $file   Wanted.
	 * @param string $domain Whose.
	 * @return string
	 */
	public static function mofile( $file, $domain ) {
		return 'shingle-roof-estimates' === $domain ? self::spanish( $file ) : $file;
	}

	/**
	 * The file of a script's sentences.
	 *
	 * @param string|false $file   Wanted.
	 * @param string       $handle Script.
	 * @param string       $domain Whose.
	 * @return string|false
	 */
	public static function script_file( $file, $handle, $domain ) {
		return 'shingle-roof-estimates' === $domain && is_string( $file ) ? self::spanish( $file ) : $file;
	}

	/**
	 * The shipped Spanish file, where another country's is missing.
	 *
	 * @param string $file Wanted.
	 * @return string
	 */
	private static function spanish( $file ) {
		if ( is_readable( $file ) || ! preg_match( '/^shingle-roof-estimates-es(?:_[A-Za-z]+)?((?:-[0-9a-z-]+)?\.(?:mo|json))$/', basename( $file ), $found ) ) {
			return $file;
		}
		return plugin_dir_path( PLUGIN_FILE ) . 'languages/shingle-roof-estimates-es_ES' . $found[1];
	}
}
