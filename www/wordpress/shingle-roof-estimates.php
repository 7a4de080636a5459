<?php
/**
 * Plugin Name:       Shingle Roof Estimates
 * Description:       Shows the roof estimate of your Shingle server on this site: a button, a banner, or a card in a page.
 * Version:           0.0.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            Shingle
 * License:           MIT
 * License URI:       https://opensource.org/licenses/MIT
 * Text Domain:       shingle-roof-estimates
 * Domain Path:       /languages
 *
 * @package ShingleRoofEstimates
 */

namespace ShingleRoofEstimates;

defined( 'ABSPATH' ) || exit;

const PLUGIN_FILE = __FILE__;
const VERSION     = '0.0.0';

foreach ( array( 'address', 'settings', 'languages', 'request', 'placement', 'script', 'optimizers', 'consent', 'estimate', 'hidden-page', 'connection', 'preview', 'admin-page' ) as $shingle_roof_estimates_part ) {
	require __DIR__ . '/includes/class-' . $shingle_roof_estimates_part . '.php';
}

Languages::start();
Script::start();
Optimizers::start();
Consent::start();
Estimate::start();
Hidden_Page::start();
Preview::start();
Placement::start();
if ( is_admin() ) {
	Connection::start();
	Admin_Page::start();
}
