<?php
/**
 * Removes everything that the plugin has stored, on every site of a network.
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/class-address.php';
require_once __DIR__ . '/includes/class-settings.php';

/**
 * Of the current site.
 */
function forget_site() {
	delete_option( Settings::CONNECTION );
	delete_option( Settings::DISPLAY );
	delete_post_meta_by_key( Settings::HIDDEN );
}

if ( is_multisite() ) {
	$shingle_roof_estimates_sites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	);
	foreach ( $shingle_roof_estimates_sites as $shingle_roof_estimates_site ) {
		switch_to_blog( $shingle_roof_estimates_site );
		forget_site();
		restore_current_blog();
	}
} else {
	forget_site();
}
delete_metadata( 'user', 0, Settings::CONNECTING, '', true );
