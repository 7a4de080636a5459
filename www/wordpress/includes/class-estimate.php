<?php
/**
 * The estimate inside a page: the block and the shortcode.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * A card, or a button in the style of the theme. Without the script, and until it has run, both are a link to the hosted page.
 */
final class Estimate {

	const BLOCK  = 'shingle-roof-estimates/estimate';
	const STYLE  = 'shingle-roof-estimates-block';
	const EDITOR = 'shingle-roof-estimates-editor';

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'init', array( self::class, 'register' ) );
		add_shortcode( 'shingle', array( self::class, 'shortcode' ) );
	}

	/**
	 * The block, with its scripts. They are registered on all pages and loaded where the block is.
	 */
	public static function register() {
		wp_register_style( self::STYLE, plugins_url( 'assets/block.css', PLUGIN_FILE ), array(), VERSION );
		wp_style_add_data( self::STYLE, 'path', plugin_dir_path( PLUGIN_FILE ) . 'assets/block.css' );
		wp_register_script( self::EDITOR, plugins_url( 'assets/block.js', PLUGIN_FILE ), array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components', 'wp-i18n' ), VERSION, true );
		wp_set_script_translations( self::EDITOR, 'shingle-roof-estimates', plugin_dir_path( PLUGIN_FILE ) . 'languages' );
		add_action( 'enqueue_block_editor_assets', array( self::class, 'tell_editor' ) );
		register_block_type( plugin_dir_path( PLUGIN_FILE ) . 'assets', array( 'render_callback' => array( self::class, 'render' ) ) );
	}

	/**
	 * Which widgets there are, for the editor.
	 */
	public static function tell_editor() {
		$connection = Settings::connection();
		$told       = array(
			'widgets'  => $connection ? $connection['widgets'] : array(),
			'settings' => current_user_can( 'manage_options' ) ? Admin_Page::address() : '',
		);
		wp_add_inline_script( self::EDITOR, 'window.shingleRoofEstimates = ' . wp_json_encode( $told, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
	}

	/**
	 * The shortcode [shingle].
	 *
	 * @param array|string $given Attributes.
	 * @return string
	 */
	public static function shortcode( $given ) {
		$given = shortcode_atts(
			array(
				'widget' => '',
				'show'   => '',
				'text'   => '',
			),
			is_array( $given ) ? $given : array(),
			'shingle'
		);
		return self::html( $given, '' );
	}

	/**
	 * The block.
	 *
	 * @param array $given Attributes.
	 * @return string
	 */
	public static function render( $given ) {
		return self::html( $given, get_block_wrapper_attributes() );
	}

	/**
	 * The markup of both.
	 *
	 * @param array  $given   Widget, show and text.
	 * @param string $wrapper Attributes of the block, escaped.
	 * @return string
	 */
	private static function html( array $given, $wrapper ) {
		$text = function ( $name ) use ( $given ) {
			return isset( $given[ $name ] ) && is_string( $given[ $name ] ) ? trim( $given[ $name ] ) : '';
		};
		$widget = self::chosen( $text( 'widget' ), $text( 'show' ) );
		if ( ! $widget ) {
			return self::told_to_editors();
		}
		wp_enqueue_style( self::STYLE );
		Script::ask( $widget );
		$id    = $widget['id'];
		$label = '' !== $text( 'text' ) ? $text( 'text' ) : __( 'Get my roof estimate', 'shingle-roof-estimates' );
		$link  = sprintf(
			'<a class="wp-block-button__link wp-element-button" href="%s" data-shingle-open="%s">%s</a>',
			esc_url( Settings::address_of( $id ) ),
			esc_attr( $id ),
			esc_html( $label )
		);
		$wrapper = '' === $wrapper ? 'class="shingle-roof-estimate"' : $wrapper;
		// A feed, a mail and a page for AMP have no scripts.
		if ( 'card' === self::shown( $widget, $text( 'show' ) ) && ! is_feed() ) {
			return sprintf( '<div %s><shingle-estimate widget="%s"><div class="wp-block-button">%s</div></shingle-estimate></div>', $wrapper, esc_attr( $id ), $link );
		}
		return sprintf( '<div %s><div class="wp-block-button">%s</div></div>', $wrapper, $link );
	}

	/**
	 * The widget that was named, or the first that fits.
	 *
	 * @param string $id   Of a block that was made before the site was connected anew it is another server's.
	 * @param string $show card, button or nothing.
	 * @return array|null
	 */
	private static function chosen( $id, $show ) {
		if ( '' !== $id ) {
			return Settings::widget( $id );
		}
		$connection = Settings::connection();
		foreach ( $connection && 'button' !== $show ? $connection['widgets'] : array() as $widget ) {
			if ( 'custom' === $widget['kind'] ) {
				return $widget;
			}
		}
		return Settings::widget( '' );
	}

	/**
	 * Only a widget of the type custom has a card.
	 *
	 * @param array  $widget Which.
	 * @param string $show   What was wished.
	 * @return string
	 */
	private static function shown( array $widget, $show ) {
		$has_card = in_array( $widget['kind'], array( 'custom', '' ), true );
		return $has_card && ( 'card' === $show || ( 'button' !== $show && 'custom' === $widget['kind'] ) ) ? 'card' : 'button';
	}

	/**
	 * A visitor sees nothing where no widget is; who can change the page sees why.
	 *
	 * @return string
	 */
	private static function told_to_editors() {
		if ( ! current_user_can( 'edit_posts' ) ) {
			return '';
		}
		return '<p class="shingle-roof-estimate"><em>' . esc_html__( 'The roof estimate would be here, but its widget isn’t connected. Visitors don’t see this line.', 'shingle-roof-estimates' ) . '</em></p>';
	}
}
