<?php
/**
 * The request for a page, compared with the list of pages without the estimate.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Path and query as a visitor's browser asked for them, relative to the site's home.
 */
final class Request {

	/**
	 * Page builders show the page that they edit in a frame; a launcher would lie over their handles.
	 */
	const BUILDERS = array( 'elementor-preview', 'et_fb', 'fl_builder', 'bricks', 'ct_builder', 'breakdance', 'vc_editable', 'tve', 'customize_changeset_uuid' );

	/**
	 * Whether a line of the list means this request.
	 *
	 * @param string $lines List.
	 * @return bool
	 */
	public static function is_listed( $lines ) {
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- It is compared, never stored or shown.
		$asked = isset( $_SERVER['REQUEST_URI'] ) ? (string) wp_unslash( $_SERVER['REQUEST_URI'] ) : '/';
		foreach ( '' === $lines ? array() : explode( "\n", $lines ) as $line ) {
			if ( self::matches( $line, $asked, (string) wp_parse_url( home_url(), PHP_URL_PATH ) ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Compares one line. A star stands for any text; a path ends at its query; a query has to be there.
	 *
	 * @param string $line  Such as /careers, /blog/*, ?page_id=7, or an address from the browser.
	 * @param string $asked Path and query.
	 * @param string $home  Path of the site, empty in the root.
	 * @return bool
	 */
	public static function matches( $line, $asked, $home ) {
		$line = preg_replace( '~^https?://[^/?#]*~i', '', $line, 1, $was_address );
		list( $path, $query ) = self::split( $line );
		list( $here, $sent )  = self::split( $asked );
		$here = self::within( $here, $home );
		// An address from the browser begins with the site's own path; a path that was typed need not.
		$paths = array_unique( array( self::within( $path, $home ), $was_address ? self::within( $path, $home ) : self::tidy( $path ) ) );
		if ( '' !== $query ) {
			parse_str( $query, $wanted );
			parse_str( $sent, $given );
			foreach ( $wanted as $name => $value ) {
				if ( ! isset( $given[ $name ] ) || $given[ $name ] !== $value ) {
					return false;
				}
			}
			if ( '' === $path ) {
				return true;
			}
		}
		foreach ( $paths as $one ) {
			if ( 1 === preg_match( '~^' . str_replace( '\*', '.*', preg_quote( $one, '~' ) ) . '$~iu', $here ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Path and query.
	 *
	 * @param string $text Both.
	 * @return array{0: string, 1: string}
	 */
	private static function split( $text ) {
		$text  = explode( '#', $text, 2 )[0];
		$parts = explode( '?', $text, 2 );
		return array( $parts[0], isset( $parts[1] ) ? $parts[1] : '' );
	}

	/**
	 * Without the site's own path.
	 *
	 * @param string $path Of the host.
	 * @param string $home Of the site.
	 * @return string
	 */
	private static function within( $path, $home ) {
		$path = self::tidy( $path );
		$home = self::tidy( $home );
		if ( '/' !== $home && ( $path === $home || 0 === stripos( $path, $home . '/' ) ) ) {
			$path = substr( $path, strlen( $home ) );
		}
		return self::tidy( $path );
	}

	/**
	 * One spelling of a path.
	 *
	 * @param string $path Any.
	 * @return string
	 */
	private static function tidy( $path ) {
		$path = wp_check_invalid_utf8( rawurldecode( $path ) );
		return '/' . trim( (string) preg_replace( '~/{2,}~', '/', $path ), '/' );
	}

	/**
	 * Whether a page builder asks.
	 *
	 * @return bool
	 */
	public static function is_of_builder() {
		foreach ( self::BUILDERS as $name ) {
			// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only whether it is there; nothing is changed.
			if ( isset( $_GET[ $name ] ) ) {
				return true;
			}
		}
		return false;
	}
}
