<?php
/**
 * What this site stores.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Two options of each site: what the portal has given, and where this site shows it.
 */
final class Settings {

	const CONNECTION = 'shingle_roof_estimates_connection';
	const DISPLAY    = 'shingle_roof_estimates_display';
	/** Of a page: the whole site's estimate is not on it. */
	const HIDDEN = '_shingle_roof_estimates_hidden';
	/** Of a user who is on the way to the portal. */
	const CONNECTING = 'shingle_roof_estimates_connecting';

	/** Categories of the WP Consent API; 'none' loads the script at once. */
	const CONSENTS = array( 'none', 'functional', 'preferences', 'statistics-anonymous', 'statistics', 'marketing' );
	const KINDS    = array( 'button', 'banner', 'custom' );

	const MAX_WIDGETS = 200;
	const MAX_PATHS   = 200;

	/**
	 * The connection, or null.
	 *
	 * @return array{server: string, company: string, host: string, widgets: array<int, array{id: string, name: string, kind: string}>}|null
	 */
	public static function connection() {
		$stored  = get_option( self::CONNECTION );
		$address = is_array( $stored ) && isset( $stored['server'] ) ? Address::parse( $stored['server'] ) : null;
		if ( ! $address ) {
			return null;
		}
		return array(
			'server'  => $address->server,
			'company' => isset( $stored['company'] ) && is_string( $stored['company'] ) ? $stored['company'] : '',
			'host'    => isset( $stored['host'] ) && is_string( $stored['host'] ) ? $stored['host'] : '',
			'widgets' => self::parse_widgets( isset( $stored['widgets'] ) ? $stored['widgets'] : null ),
		);
	}

	/**
	 * Widgets as the portal or the database has them.
	 *
	 * @param mixed $list Anything.
	 * @return array<int, array{id: string, name: string, kind: string}>
	 */
	public static function parse_widgets( $list ) {
		$widgets = array();
		foreach ( is_array( $list ) ? array_slice( $list, 0, self::MAX_WIDGETS ) : array() as $one ) {
			$id = is_array( $one ) && isset( $one['id'] ) && is_string( $one['id'] ) ? strtolower( $one['id'] ) : '';
			if ( ! preg_match( '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/', $id ) || isset( $widgets[ $id ] ) ) {
				continue;
			}
			$name           = isset( $one['name'] ) && is_string( $one['name'] ) ? sanitize_text_field( $one['name'] ) : '';
			$kind           = isset( $one['kind'] ) && in_array( $one['kind'], self::KINDS, true ) ? $one['kind'] : '';
			$widgets[ $id ] = array(
				'id'   => $id,
				'name' => function_exists( 'mb_substr' ) ? mb_substr( $name, 0, 200 ) : $name,
				'kind' => $kind,
			);
		}
		return array_values( $widgets );
	}

	/**
	 * Stores what the portal has given.
	 *
	 * @param string $server  Origin.
	 * @param string $company Name.
	 * @param array  $widgets As parse_widgets() returns them.
	 */
	public static function connect( $server, $company, array $widgets ) {
		update_option(
			self::CONNECTION,
			array(
				'server'  => $server,
				'company' => sanitize_text_field( $company ),
				'host'    => self::own_host(),
				'widgets' => $widgets,
			)
		);
	}

	/**
	 * Where the site shows it.
	 *
	 * @return array{sitewide: string, paths: string, consent: string}
	 */
	public static function display() {
		return self::parse_display( get_option( self::DISPLAY ) );
	}

	/**
	 * A form or the database: what breaks a rule is as if it were not there.
	 *
	 * @param mixed $given Anything.
	 * @return array{sitewide: string, paths: string, consent: string}
	 */
	public static function parse_display( $given ) {
		$text  = function ( $name ) use ( $given ) {
			return is_array( $given ) && isset( $given[ $name ] ) && is_string( $given[ $name ] ) ? $given[ $name ] : '';
		};
		$lines = array_filter( array_map( 'trim', preg_split( '/\R/', sanitize_textarea_field( $text( 'paths' ) ) ) ) );
		$side  = strtolower( $text( 'sitewide' ) );
		return array(
			'sitewide' => 1 === preg_match( '/^[0-9a-f-]{36}$/', $side ) ? $side : '',
			'paths'    => implode( "\n", array_slice( $lines, 0, self::MAX_PATHS ) ),
			'consent'  => in_array( $text( 'consent' ), self::CONSENTS, true ) ? $text( 'consent' ) : 'none',
		);
	}

	/**
	 * A widget of the connection.
	 *
	 * @param string $id Empty for the first that fits.
	 * @return array{id: string, name: string, kind: string}|null
	 */
	public static function widget( $id ) {
		$connection = self::connection();
		foreach ( $connection ? $connection['widgets'] : array() as $widget ) {
			if ( '' === $id || $widget['id'] === strtolower( $id ) ) {
				return $widget;
			}
		}
		return null;
	}

	/**
	 * The script, or the hosted page, of a widget.
	 *
	 * @param string $id   Widget.
	 * @param string $more '.js' for the script.
	 * @return string
	 */
	public static function address_of( $id, $more = '' ) {
		$connection = self::connection();
		return $connection ? $connection['server'] . '/w/' . $id . $more : '';
	}

	/**
	 * The host of this site's pages.
	 *
	 * @return string
	 */
	public static function own_host() {
		return strtolower( (string) wp_parse_url( home_url(), PHP_URL_HOST ) );
	}
}
