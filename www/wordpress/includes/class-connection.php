<?php
/**
 * Connecting with a Shingle server.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * The administrator's browser goes to the portal with a random state and the hash of a secret that stays here (PKCE). An owner
 * chooses widgets there and comes back with a code, which this server exchanges for their list. No key is typed or kept.
 */
final class Connection {

	const CONNECT    = 'shingle_roof_estimates_connect';
	const COME_BACK  = 'shingle_roof_estimates_return';
	const DISCONNECT = 'shingle_roof_estimates_disconnect';
	/** Seconds in which an owner can sign in and choose. */
	const PATIENCE = 1800;
	const MAX_ANSWER = 262144;

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'admin_post_' . self::CONNECT, array( self::class, 'connect' ) );
		add_action( 'admin_post_' . self::COME_BACK, array( self::class, 'come_back' ) );
		// Signed out meanwhile, or in another browser: sign in, then go on.
		add_action( 'admin_post_nopriv_' . self::COME_BACK, 'auth_redirect' );
		add_action( 'admin_post_' . self::DISCONNECT, array( self::class, 'disconnect' ) );
	}

	/**
	 * Stops a person without the right, with a sentence.
	 */
	private static function require_administrator() {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'You don’t have access to this site’s settings.', 'shingle-roof-estimates' ), '', array( 'response' => 403 ) );
		}
	}

	/**
	 * The form with an address: to the portal, or one widget more.
	 */
	public static function connect() {
		self::require_administrator();
		check_admin_referer( self::CONNECT );
		$pasted  = isset( $_POST['address'] ) ? trim( wp_unslash( $_POST['address'] ) ) : ''; // phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- A script tag may be pasted; Address::parse() takes what it needs.
		$address = Address::parse( $pasted );
		if ( ! $address ) {
			self::back( 'address' );
		}
		if ( '' !== $address->widget ) {
			self::add_pasted( $address );
			self::back( 'added' );
		}
		$state    = self::random();
		$verifier = self::random();
		// The browser knows whether it came by https; behind a proxy that ends it, this server may not.
		$is_https = isset( $_POST['scheme'] ) && 'https:' === sanitize_text_field( wp_unslash( $_POST['scheme'] ) );
		$return   = self::return_address( $is_https );
		update_user_meta(
			get_current_user_id(),
			Settings::CONNECTING,
			array(
				'site'     => get_current_blog_id(),
				'server'   => $address->server,
				'state'    => $state,
				'verifier' => $verifier,
				'return'   => $return,
				'until'    => time() + self::PATIENCE,
			)
		);
		$portal = $address->server . '/portal/connect?' . http_build_query(
			array(
				'return'    => $return,
				'state'     => $state,
				'challenge' => self::base64url( hash( 'sha256', $verifier, true ) ),
				'site'      => home_url(),
			),
			'',
			'&',
			PHP_QUERY_RFC3986
		);
		$host = wp_parse_url( $portal, PHP_URL_HOST );
		add_filter(
			'allowed_redirect_hosts',
			function ( $hosts ) use ( $host ) {
				return array_merge( $hosts, array( $host ) );
			}
		);
		wp_safe_redirect( $portal, 303 );
		exit;
	}

	/**
	 * Where the portal sends the browser.
	 *
	 * @param bool $is_https What the browser says.
	 * @return string
	 */
	private static function return_address( $is_https ) {
		$address = admin_url( 'admin-post.php?action=' . self::COME_BACK );
		return $is_https ? set_url_scheme( $address, 'https' ) : $address;
	}

	/**
	 * The way back from the portal.
	 */
	public static function come_back() {
		self::require_administrator();
		// phpcs:disable WordPress.Security.NonceVerification.Recommended -- The state is the nonce of this request: random, of this user, and good once.
		$state = isset( $_GET['state'] ) ? sanitize_text_field( wp_unslash( $_GET['state'] ) ) : '';
		$code  = isset( $_GET['code'] ) ? sanitize_text_field( wp_unslash( $_GET['code'] ) ) : '';
		// phpcs:enable
		$begun = get_user_meta( get_current_user_id(), Settings::CONNECTING, true );
		if ( ! is_array( $begun ) || ! isset( $begun['state'], $begun['site'], $begun['server'], $begun['verifier'], $begun['return'], $begun['until'] )
			|| ! hash_equals( (string) $begun['state'], $state ) || get_current_blog_id() !== (int) $begun['site'] ) {
			self::back( 'state' );
		}
		delete_user_meta( get_current_user_id(), Settings::CONNECTING );
		if ( time() > (int) $begun['until'] ) {
			self::back( 'late' );
		}
		if ( '' === $code ) {
			self::back( 'denied' );
		}
		$said = self::exchange( (string) $begun['server'], $code, (string) $begun['verifier'], (string) $begun['return'] );
		if ( is_wp_error( $said ) ) {
			self::back( 'failed', $said->get_error_message() );
		}
		Settings::connect( (string) $begun['server'], $said['company'], $said['widgets'] );
		self::choose_sitewide( $said['widgets'] );
		self::back( 'connected' );
	}

	/**
	 * Gives the code back for the widgets.
	 *
	 * @param string $server   Origin.
	 * @param string $code     Of the portal.
	 * @param string $verifier Of this server.
	 * @param string $return   Where the code was sent.
	 * @return array{company: string, widgets: array}|\WP_Error
	 */
	private static function exchange( $server, $code, $verifier, $return ) {
		$answer = self::with_server(
			$server,
			function () use ( $server, $code, $verifier, $return ) {
				return wp_safe_remote_post(
					$server . '/connect/widgets',
					array(
						'timeout'             => 15,
						'redirection'         => 0,
						'limit_response_size' => self::MAX_ANSWER,
						'headers'             => array(
							'Content-Type' => 'application/json',
							'Accept'       => 'application/json',
						),
						'body'                => wp_json_encode(
							array(
								'code'     => $code,
								'verifier' => $verifier,
								'return'   => $return,
							)
						),
					)
				);
			}
		);
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		$status = wp_remote_retrieve_response_code( $answer );
		$said   = json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( 200 !== $status || ! is_array( $said ) || ! isset( $said['widgets'] ) ) {
			/* translators: %d: a status of HTTP, such as 403 */
			return new \WP_Error( 'shingle', sprintf( __( 'it answered with status %d', 'shingle-roof-estimates' ), $status ) );
		}
		return array(
			'company' => isset( $said['company'] ) && is_string( $said['company'] ) ? $said['company'] : '',
			'widgets' => Settings::parse_widgets( $said['widgets'] ),
		);
	}

	/**
	 * Allows requests to this server alone that WordPress would refuse otherwise: one on another port, and for who may
	 * install plugins anyway, one in the own network.
	 *
	 * @param string   $server Origin.
	 * @param callable $ask    Makes the request.
	 * @return mixed
	 */
	private static function with_server( $server, $ask ) {
		$host  = wp_parse_url( $server, PHP_URL_HOST );
		$port  = (int) wp_parse_url( $server, PHP_URL_PORT );
		$ports = function ( $ports ) use ( $port ) {
			return $port ? array_merge( $ports, array( $port ) ) : $ports;
		};
		$hosts = function ( $is_external, $asked ) use ( $host ) {
			return $is_external || ( $asked === $host && current_user_can( is_multisite() ? 'manage_network' : 'install_plugins' ) );
		};
		add_filter( 'http_allowed_safe_ports', $ports );
		add_filter( 'http_request_host_is_external', $hosts, 10, 2 );
		$answer = $ask();
		remove_filter( 'http_allowed_safe_ports', $ports );
		remove_filter( 'http_request_host_is_external', $hosts );
		return $answer;
	}

	/**
	 * One widget whose script or link was pasted: also without a portal that this server can reach.
	 *
	 * @param Address $address With a widget.
	 */
	private static function add_pasted( Address $address ) {
		$known   = Settings::connection();
		$is_same = $known && $known['server'] === $address->server;
		$widgets = $is_same ? $known['widgets'] : array();
		$widgets = Settings::parse_widgets( array_merge( $widgets, array( array( 'id' => $address->widget ) ) ) );
		Settings::connect( $address->server, $is_same ? $known['company'] : '', $widgets );
		self::choose_sitewide( $widgets );
	}

	/**
	 * A single launcher is what the whole site shows until somebody chooses otherwise. A widget that is gone shows nowhere.
	 *
	 * @param array $widgets Connected now.
	 */
	private static function choose_sitewide( array $widgets ) {
		$is_first = false === get_option( Settings::DISPLAY );
		$display  = Settings::display();
		if ( $is_first && 1 === count( $widgets ) && 'custom' !== $widgets[0]['kind'] ) {
			$display['sitewide'] = $widgets[0]['id'];
		} elseif ( ! in_array( $display['sitewide'], wp_list_pluck( $widgets, 'id' ), true ) ) {
			$display['sitewide'] = '';
		}
		update_option( Settings::DISPLAY, $display );
	}

	/**
	 * Forgets the server. Blocks and shortcodes stay in their pages and show nothing.
	 */
	public static function disconnect() {
		self::require_administrator();
		check_admin_referer( self::DISCONNECT );
		delete_option( Settings::CONNECTION );
		delete_option( Settings::DISPLAY );
		self::back( 'disconnected' );
	}

	/**
	 * To the settings, with what became of it.
	 *
	 * @param string $told Code.
	 * @param string $why  In the words of who refused.
	 */
	private static function back( $told, $why = '' ) {
		if ( '' !== $why ) {
			update_user_meta( get_current_user_id(), Settings::CONNECTING, array( 'why' => rtrim( wp_strip_all_tags( $why ), '. ' ) ) );
		}
		wp_safe_redirect( add_query_arg( 'told', $told, Admin_Page::address() ), 303 );
		exit;
	}

	/**
	 * 256 random bits in 43 characters.
	 *
	 * @return string
	 */
	private static function random() {
		return self::base64url( random_bytes( 32 ) );
	}

	/**
	 * Letters that an address holds as they are.
	 *
	 * @param string $bytes Any.
	 * @return string
	 */
	private static function base64url( $bytes ) {
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- As PKCE writes it.
	}
}
