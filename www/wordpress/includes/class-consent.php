<?php
/**
 * Consent plugins.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * The script sets no cookie. When it starts it keeps, in the storage of the visitor's tab, which page they came from, until
 * the tab is closed; a form's draft is kept once somebody types. Who has to ask first chooses a category: then a script of
 * this site waits for the WP Consent API to allow it, also on pages that a cache keeps.
 */
final class Consent {

	const HANDLE = 'shingle-roof-estimates-consent';

	/**
	 * Addresses that wait.
	 *
	 * @var string[]
	 */
	private static $waiting = array();

	/**
	 * Hooks.
	 */
	public static function start() {
		add_filter( 'wp_consent_api_registered_' . plugin_basename( PLUGIN_FILE ), '__return_true' );
		add_action( 'init', array( self::class, 'declare_storage' ) );
		add_action( 'admin_init', array( self::class, 'suggest_policy' ) );
		add_filter( 'script_loader_tag', array( self::class, 'tag' ), PHP_INT_MAX, 2 );
	}

	/**
	 * Whether the script waits for a choice.
	 *
	 * @return bool
	 */
	public static function waits() {
		return 'none' !== Settings::display()['consent'];
	}

	/**
	 * Asks for a widget's script once a visitor allows it.
	 *
	 * @param array $widget As Settings::widget() returns it.
	 */
	public static function ask( array $widget ) {
		self::$waiting[] = Settings::address_of( $widget['id'], '.js' );
		wp_enqueue_script( self::HANDLE, plugins_url( 'assets/consent.js', PLUGIN_FILE ), array(), VERSION, true );
	}

	/**
	 * The addresses and the category are attributes: a page's content policy may forbid inline scripts.
	 *
	 * @param string $tag    As WordPress has written it.
	 * @param string $handle Script.
	 * @return string
	 */
	public static function tag( $tag, $handle ) {
		if ( self::HANDLE !== $handle ) {
			return $tag;
		}
		$more = sprintf(
			'<script %s data-category="%s" data-scripts="%s" ',
			Script::ATTRIBUTES,
			esc_attr( Settings::display()['consent'] ),
			esc_attr( implode( ' ', array_map( 'esc_url', array_unique( self::$waiting ) ) ) )
		);
		return (string) preg_replace( '/<script /', $more, $tag, 1 );
	}

	/**
	 * Tells a consent plugin what is stored, for its list.
	 */
	public static function declare_storage() {
		if ( ! function_exists( 'wp_add_cookie_info' ) || ! Settings::connection() ) {
			return;
		}
		$display  = Settings::display();
		$category = 'none' === $display['consent'] ? 'functional' : $display['consent'];
		wp_add_cookie_info( 'shingle', 'Shingle', $category, __( 'Until the tab is closed', 'shingle-roof-estimates' ), __( 'The page a visitor came from, kept in their own browser and sent with a request for an estimate.', 'shingle-roof-estimates' ), false, false, false, 'SESSIONSTORAGE' );
		wp_add_cookie_info( 'shingle:draft:*', 'Shingle', $category, __( 'Until the form is sent', 'shingle-roof-estimates' ), __( 'What a visitor typed into the form for an estimate, kept in their own browser.', 'shingle-roof-estimates' ), false, false, false, 'LOCALSTORAGE' );
	}

	/**
	 * A paragraph for the site's privacy policy.
	 */
	public static function suggest_policy() {
		if ( ! function_exists( 'wp_add_privacy_policy_content' ) ) {
			return;
		}
		$text = __( 'This site offers a roof estimate. If you ask for one, you send us the address of your home, your name, email and phone number. Until then we store nothing about you on our servers; your browser remembers which page you came from until you close the tab. No cookies are set.', 'shingle-roof-estimates' );
		wp_add_privacy_policy_content( __( 'Shingle Roof Estimates', 'shingle-roof-estimates' ), '<p>' . esc_html( $text ) . '</p>' );
	}
}
