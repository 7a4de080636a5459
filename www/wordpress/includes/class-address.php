<?php
/**
 * Addresses of a Shingle server and its widgets.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * What people paste: the address of a server, any link from its portal, or the script of a widget.
 */
final class Address {

	/**
	 * The origin of the server, such as https://roofs.example.com.
	 *
	 * @var string
	 */
	public $server;

	/**
	 * The id of the widget, or an empty string.
	 *
	 * @var string
	 */
	public $widget;

	/**
	 * Made by parse() alone.
	 *
	 * @param string $server Origin.
	 * @param string $widget Id.
	 */
	private function __construct( $server, $widget ) {
		$this->server = $server;
		$this->widget = $widget;
	}

	/**
	 * Reads what was pasted.
	 *
	 * @param string $text Address, link, or script tag.
	 * @return self|null Null if it names no server.
	 */
	public static function parse( $text ) {
		$text = trim( wp_check_invalid_utf8( (string) $text ) );
		if ( preg_match( '/\bsrc\s*=\s*["\']?([^"\'\s>]+)/i', $text, $found ) ) {
			$text = $found[1];
		}
		// Without a scheme it is what people read aloud.
		if ( preg_match( '/^[a-z0-9.-]+\.[a-z]{2,}(:\d+)?(\/|$)/i', $text ) ) {
			$text = 'https://' . $text;
		}
		$parts = strlen( $text ) > 2000 ? false : wp_parse_url( $text );
		if ( ! is_array( $parts ) || empty( $parts['scheme'] ) || empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['pass'] ) ) {
			return null;
		}
		$scheme = strtolower( $parts['scheme'] );
		$host   = strtolower( $parts['host'] );
		if ( ! preg_match( '/^(?:[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$|^\[[0-9a-f:.]+\]$/', $host ) ) {
			return null;
		}
		// The page and the exchange of the code need a connection that nobody reads along.
		if ( 'https' !== $scheme && ! ( 'http' === $scheme && self::is_this_machine( $host ) ) ) {
			return null;
		}
		$server = $scheme . '://' . $host . ( isset( $parts['port'] ) ? ':' . (int) $parts['port'] : '' );
		$path   = isset( $parts['path'] ) ? $parts['path'] : '';
		$widget = preg_match( '~^/(?:w|go)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.js|/|$)~i', $path, $found ) ? strtolower( $found[1] ) : '';
		return new self( $server, $widget );
	}

	/**
	 * Whether a host is this very machine, where http is as good.
	 *
	 * @param string $host Lower-case.
	 * @return bool
	 */
	public static function is_this_machine( $host ) {
		return 'localhost' === $host || '[::1]' === $host || 1 === preg_match( '/^127(\.\d{1,3}){3}$/', $host );
	}

	/**
	 * The server's name as people read it.
	 *
	 * @return string
	 */
	public function host() {
		return (string) preg_replace( '~^https?://~', '', $this->server );
	}
}
