<?php
/**
 * The settings page.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

/**
 * Settings, Roof estimates.
 */
final class Admin_Page {

	const SLUG  = 'shingle-roof-estimates';
	const GROUP = 'shingle_roof_estimates';

	/**
	 * Hooks.
	 */
	public static function start() {
		add_action( 'admin_menu', array( self::class, 'add' ) );
		add_action( 'admin_init', array( self::class, 'register' ) );
		add_action( 'admin_enqueue_scripts', array( self::class, 'enqueue' ) );
		add_filter( 'removable_query_args', array( self::class, 'said_once' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( self::class, 'link' ) );
	}

	/**
	 * Of this page.
	 *
	 * @return string
	 */
	public static function address() {
		return admin_url( 'options-general.php?page=' . self::SLUG );
	}

	/**
	 * In the menu.
	 */
	public static function add() {
		add_options_page( __( 'Roof estimates', 'shingle-roof-estimates' ), __( 'Roof estimates', 'shingle-roof-estimates' ), 'manage_options', self::SLUG, array( self::class, 'show' ) );
	}

	/**
	 * The form's option; WordPress checks its nonce and who may save it.
	 */
	public static function register() {
		register_setting(
			self::GROUP,
			Settings::DISPLAY,
			array(
				'type'              => 'object',
				'sanitize_callback' => array( Settings::class, 'parse_display' ),
			)
		);
	}

	/**
	 * Style and script of this page alone.
	 *
	 * @param string $page Which.
	 */
	public static function enqueue( $page ) {
		if ( 'settings_page_' . self::SLUG === $page ) {
			wp_enqueue_style( 'shingle-roof-estimates-admin', plugins_url( 'assets/admin.css', PLUGIN_FILE ), array(), VERSION );
			wp_enqueue_script( 'shingle-roof-estimates-admin', plugins_url( 'assets/admin.js', PLUGIN_FILE ), array(), VERSION, true );
		}
	}

	/**
	 * A reload does not say again what became of a form.
	 *
	 * @param string[] $names Parameters that WordPress takes out of the address.
	 * @return string[]
	 */
	public static function said_once( $names ) {
		$names[] = 'told';
		return $names;
	}

	/**
	 * Beside the plugin's name in the list.
	 *
	 * @param string[] $links Of others.
	 * @return string[]
	 */
	public static function link( $links ) {
		array_unshift( $links, '<a href="' . esc_url( self::address() ) . '">' . esc_html__( 'Settings', 'shingle-roof-estimates' ) . '</a>' );
		return $links;
	}

	/**
	 * The page.
	 */
	public static function show() {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		$connection = Settings::connection();
		echo '<div class="wrap shingle-roof-estimates"><h1>' . esc_html__( 'Roof estimates', 'shingle-roof-estimates' ) . '</h1>';
		self::told();
		self::moved( $connection );
		self::connect_form( $connection );
		if ( $connection ) {
			self::display_form( $connection );
			self::in_pages( $connection );
			self::preview( $connection );
		}
		echo '</div>';
	}

	/**
	 * What became of the form before.
	 */
	private static function told() {
		$why   = get_user_meta( get_current_user_id(), Settings::CONNECTING, true );
		$why   = is_array( $why ) && isset( $why['why'] ) ? (string) $why['why'] : '';
		$texts = array(
			'connected'    => __( 'Connected. Choose below where the estimate appears.', 'shingle-roof-estimates' ),
			'added'        => __( 'Added. Choose below where the estimate appears. If it doesn’t show, allow this site in the portal: see the widget’s domains.', 'shingle-roof-estimates' ),
			'disconnected' => __( 'Disconnected. Visitors no longer see an estimate.', 'shingle-roof-estimates' ),
			'address'      => __( 'This isn’t the address of a Shingle server. It begins with https://, as in the portal.', 'shingle-roof-estimates' ),
			'state'        => __( 'This answer from the portal doesn’t match a connection that you started here. Please connect again.', 'shingle-roof-estimates' ),
			'late'         => __( 'That took too long. Please connect again.', 'shingle-roof-estimates' ),
			'denied'       => __( 'Nothing was connected: you left the portal without choosing.', 'shingle-roof-estimates' ),
			/* translators: %s: why, in the words of the program that makes the request */
			'failed'       => sprintf( __( 'WordPress couldn’t fetch the widgets from the server: %s. You can paste the script of a widget instead.', 'shingle-roof-estimates' ), $why ),
		);
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- It chooses one of these sentences.
		$told = isset( $_GET['told'] ) && ! isset( $_GET['settings-updated'] ) ? sanitize_key( wp_unslash( $_GET['told'] ) ) : '';
		if ( isset( $texts[ $told ] ) ) {
			$is_good = in_array( $told, array( 'connected', 'added', 'disconnected' ), true );
			printf( '<div class="notice %s" role="status"><p>%s</p></div>', $is_good ? 'notice-success' : 'notice-error', esc_html( $texts[ $told ] ) );
		}
		if ( '' !== $why ) {
			delete_user_meta( get_current_user_id(), Settings::CONNECTING );
		}
	}

	/**
	 * A copy of the site under another name, for testing or for good.
	 *
	 * @param array|null $connection Stored.
	 */
	private static function moved( $connection ) {
		if ( ! $connection || '' === $connection['host'] || Settings::own_host() === $connection['host'] ) {
			return;
		}
		printf(
			'<div class="notice notice-warning"><p>%s</p></div>',
			esc_html(
				sprintf(
					/* translators: 1: host before, 2: host now */
					__( 'This site was connected as %1$s and is %2$s now. The estimate only shows on sites that its server allows. If this is a copy for testing, all is well; if the site has moved, connect again.', 'shingle-roof-estimates' ),
					$connection['host'],
					Settings::own_host()
				)
			)
		);
	}

	/**
	 * Who this site is connected with, and the form for it.
	 *
	 * @param array|null $connection Stored.
	 */
	private static function connect_form( $connection ) {
		// A link from the portal fills the field; a person still has to press the button.
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended
		$named   = isset( $_GET['server'] ) ? Address::parse( sanitize_text_field( wp_unslash( $_GET['server'] ) ) ) : null;
		$address = $named ? $named->server : ( $connection ? $connection['server'] : '' );
		echo '<h2>' . esc_html__( 'Connection', 'shingle-roof-estimates' ) . '</h2>';
		if ( $connection ) {
			$host = Address::parse( $connection['server'] )->host();
			$who  = '' === $connection['company']
				/* translators: %s: host of the server */
				? sprintf( __( 'Connected with %s.', 'shingle-roof-estimates' ), $host )
				/* translators: 1: host of the server, 2: company */
				: sprintf( __( 'Connected with %1$s as %2$s.', 'shingle-roof-estimates' ), $host, $connection['company'] );
			echo '<p>' . esc_html( $who ) . '</p><ul class="ul-disc">';
			foreach ( $connection['widgets'] as $widget ) {
				echo '<li>' . esc_html( self::name( $widget ) ) . '</li>';
			}
			echo '</ul>';
		} else {
			echo '<p>' . esc_html__( 'Paste the address of your Shingle portal, and you choose there what this site may show. The script of a widget works too.', 'shingle-roof-estimates' ) . '</p>';
		}
		?>
		<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
			<input type="hidden" name="action" value="<?php echo esc_attr( Connection::CONNECT ); ?>">
			<input type="hidden" name="scheme" value="" data-shingle-scheme>
			<?php wp_nonce_field( Connection::CONNECT ); ?>
			<p>
				<label for="shingle-address"><?php esc_html_e( 'Address of your portal, or script of a widget', 'shingle-roof-estimates' ); ?></label>
				<input type="text" class="regular-text code" id="shingle-address" name="address" required maxlength="2000" autocomplete="off" spellcheck="false" dir="ltr" placeholder="https://roofs.example.com" value="<?php echo esc_attr( $address ); ?>">
				<button class="button <?php echo $connection ? '' : 'button-primary'; ?>"><?php echo $connection ? esc_html__( 'Connect again', 'shingle-roof-estimates' ) : esc_html__( 'Connect', 'shingle-roof-estimates' ); ?></button>
			</p>
		</form>
		<?php
		if ( $connection ) {
			?>
			<p class="description"><?php esc_html_e( 'Connect again after you add or rename widgets. Changes to their look arrive on their own.', 'shingle-roof-estimates' ); ?></p>
			<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
				<input type="hidden" name="action" value="<?php echo esc_attr( Connection::DISCONNECT ); ?>">
				<?php wp_nonce_field( Connection::DISCONNECT ); ?>
				<p><button class="button button-link-delete"><?php esc_html_e( 'Disconnect', 'shingle-roof-estimates' ); ?></button></p>
			</form>
			<?php
		}
	}

	/**
	 * Where the whole site shows it.
	 *
	 * @param array $connection Stored.
	 */
	private static function display_form( array $connection ) {
		$display = Settings::display();
		$field   = function ( $name ) {
			return Settings::DISPLAY . '[' . $name . ']';
		};
		echo '<h2>' . esc_html__( 'On the whole site', 'shingle-roof-estimates' ) . '</h2>';
		echo '<form method="post" action="' . esc_url( admin_url( 'options.php' ) ) . '">';
		settings_fields( self::GROUP );
		?>
		<p>
			<label for="shingle-sitewide"><?php esc_html_e( 'Button or banner on every page', 'shingle-roof-estimates' ); ?></label>
			<select id="shingle-sitewide" name="<?php echo esc_attr( $field( 'sitewide' ) ); ?>">
				<option value=""><?php esc_html_e( 'None', 'shingle-roof-estimates' ); ?></option>
				<?php foreach ( $connection['widgets'] as $widget ) { ?>
					<option value="<?php echo esc_attr( $widget['id'] ); ?>" <?php selected( $display['sitewide'], $widget['id'] ); ?>><?php echo esc_html( self::name( $widget ) ); ?></option>
				<?php } ?>
			</select>
		</p>
		<p class="description"><?php esc_html_e( 'A widget with your own elements has no button of its own: here it opens from every link to #roof-estimate, such as one in a menu.', 'shingle-roof-estimates' ); ?></p>
		<p>
			<label for="shingle-paths"><?php esc_html_e( 'Pages without it', 'shingle-roof-estimates' ); ?></label>
			<textarea id="shingle-paths" class="large-text code" rows="4" spellcheck="false" dir="ltr" name="<?php echo esc_attr( $field( 'paths' ) ); ?>" placeholder="/careers&#10;/blog/*&#10;?page_id=7"><?php echo esc_textarea( $display['paths'] ); ?></textarea>
		</p>
		<p class="description"><?php esc_html_e( 'One per line, as in the address bar; a star stands for anything. Each page also has a box of its own beside its editor.', 'shingle-roof-estimates' ); ?></p>
		<p>
			<label for="shingle-consent"><?php esc_html_e( 'Consent', 'shingle-roof-estimates' ); ?></label>
			<select id="shingle-consent" name="<?php echo esc_attr( $field( 'consent' ) ); ?>">
				<?php foreach ( self::consents() as $value => $label ) { ?>
					<option value="<?php echo esc_attr( $value ); ?>" <?php selected( $display['consent'], $value ); ?>><?php echo esc_html( $label ); ?></option>
				<?php } ?>
			</select>
		</p>
		<p class="description"><?php esc_html_e( 'The estimate sets no cookie. The visitor’s tab keeps which page they came from until it is closed. Where you have to ask first, choose a category and use a consent banner that supports the WP Consent API.', 'shingle-roof-estimates' ); ?></p>
		<?php
		if ( 'none' !== $display['consent'] && ! function_exists( 'wp_has_consent' ) ) {
			echo '<div class="notice notice-warning inline"><p>' . esc_html__( 'The plugin WP Consent API isn’t active, so visitors don’t see the estimate.', 'shingle-roof-estimates' ) . '</p></div>';
		}
		submit_button();
		echo '</form>';
	}

	/**
	 * When the script is loaded.
	 *
	 * @return array<string, string>
	 */
	private static function consents() {
		return array(
			'none'                 => __( 'Show the estimate at once (it is necessary)', 'shingle-roof-estimates' ),
			'functional'           => __( 'Wait for consent to functional', 'shingle-roof-estimates' ),
			'preferences'          => __( 'Wait for consent to preferences', 'shingle-roof-estimates' ),
			'statistics-anonymous' => __( 'Wait for consent to anonymous statistics', 'shingle-roof-estimates' ),
			'statistics'           => __( 'Wait for consent to statistics', 'shingle-roof-estimates' ),
			'marketing'            => __( 'Wait for consent to marketing', 'shingle-roof-estimates' ),
		);
	}

	/**
	 * The block and the shortcode.
	 *
	 * @param array $connection Stored.
	 */
	private static function in_pages( array $connection ) {
		echo '<h2>' . esc_html__( 'In a page', 'shingle-roof-estimates' ) . '</h2>';
		echo '<p>' . esc_html__( 'Add the block “Roof estimate” in the editor, or write one of these lines where your page builder takes a shortcode:', 'shingle-roof-estimates' ) . '</p><ul class="shingle-codes">';
		foreach ( $connection['widgets'] as $widget ) {
			// Of one that was pasted nobody knows whether it has a card.
			$ways = array( '' => array( 'button', 'card' ), 'custom' => array( 'card' ) );
			foreach ( isset( $ways[ $widget['kind'] ] ) ? $ways[ $widget['kind'] ] : array( 'button' ) as $show ) {
				printf( '<li><code dir="ltr">[shingle show="%s" widget="%s"]</code> %s</li>', esc_html( $show ), esc_html( $widget['id'] ), esc_html( self::name( $widget ) ) );
			}
		}
		echo '</ul>';
	}

	/**
	 * The site's own front page with a widget, before it is switched on.
	 *
	 * @param array $connection Stored.
	 */
	private static function preview( array $connection ) {
		$shown = Settings::widget( Settings::display()['sitewide'] );
		$shown = $shown ? $shown : Settings::widget( '' );
		if ( ! $shown ) {
			return;
		}
		echo '<h2>' . esc_html__( 'Preview', 'shingle-roof-estimates' ) . '</h2>';
		echo '<p>' . esc_html__( 'Your front page with:', 'shingle-roof-estimates' ) . '</p><p class="shingle-previews">';
		foreach ( $connection['widgets'] as $widget ) {
			printf(
				'<a class="button" href="%s" target="shingle-preview">%s</a> ',
				esc_url( Preview::address( $widget['id'] ) ),
				esc_html( self::name( $widget ) )
			);
		}
		printf(
			'</p><iframe name="shingle-preview" class="shingle-preview" title="%s" src="%s" loading="lazy"></iframe>',
			esc_attr__( 'Preview of your front page', 'shingle-roof-estimates' ),
			esc_url( Preview::address( $shown['id'] ) )
		);
		printf(
			'<p><a href="%s" target="_blank" rel="noopener">%s</a></p>',
			esc_url( Settings::address_of( $shown['id'], '/check' ) ),
			esc_html__( 'Nothing there? Let the server look at your site', 'shingle-roof-estimates' )
		);
	}

	/**
	 * A widget as people read it.
	 *
	 * @param array $widget Which.
	 * @return string
	 */
	private static function name( array $widget ) {
		$kinds = array(
			'button' => __( 'button', 'shingle-roof-estimates' ),
			'banner' => __( 'banner', 'shingle-roof-estimates' ),
			'custom' => __( 'card and your own elements', 'shingle-roof-estimates' ),
			''       => __( 'pasted', 'shingle-roof-estimates' ),
		);
		$name  = '' === $widget['name'] ? substr( $widget['id'], 0, 8 ) : $widget['name'];
		/* translators: 1: name of a widget, 2: its kind */
		return sprintf( __( '%1$s (%2$s)', 'shingle-roof-estimates' ), $name, $kinds[ $widget['kind'] ] );
	}
}
