// A real WordPress of its own: a copy of Debian's files, a database that listens on a socket in the same folder, and PHP's server.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { spawnMortal } from "./mortal.js";
import { root } from "./shingle.js";

const run = promisify(execFile);
const debian = "/usr/share/wordpress";
/** The plugin as `cargo xtask wordpress` packs it. */
export const packed = process.env.SHINGLE_WORDPRESS ?? path.join(root, "target/shingle-roof-estimates.zip");
/** It mails nobody. */
const quiet = ["-d", "sendmail_path=/bin/true"];
export const slug = "shingle-roof-estimates";
export const admin = { name: "maya", password: "slate-and-copper-9", email: "maya@quillback.example" };

const programs = { php: ["/usr/bin/php"], mariadbd: ["/usr/sbin/mariadbd"], installer: ["/usr/bin/mariadb-install-db"] };
const found = (name) => programs[name].find((file) => existsSync(file));
const missing = !existsSync(debian) || !existsSync(packed) || Object.keys(programs).some((name) => !found(name));
const sentence = "SHINGLE_WORDPRESS names no plugin, or Debian’s wordpress, php-cli, php-mysql and mariadb-server-core are missing";

/** Why there is no WordPress to test in, or false. In CI there has to be one. */
export const noWordPress = missing && !process.env.CI ? sentence : false;

function freePort() {
  return new Promise((given, failed) => {
    const server = createServer().on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => given(port));
    });
  });
}

/** As a web server with WordPress's own rules, for one site or a network in folders. */
const router = (home) => `<?php
$path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
$base = ${JSON.stringify(home)};
$root = __DIR__ . '/site';
if ( is_file( __DIR__ . '/headers.php' ) ) { include __DIR__ . '/headers.php'; }
$inside = preg_replace( '~^' . preg_quote( $base, '~' ) . '/(?!wp-)[_0-9a-z-]+/(wp-(?:admin|includes|content)/|[a-z-]+[.]php$)~', $base . '/$1', $path );
if ( is_dir( $root . $inside ) && is_file( rtrim( $root . $inside, '/' ) . '/index.php' ) ) {
	if ( substr( $path, -1 ) !== '/' ) { header( 'Location: ' . $path . '/', true, 301 ); exit; }
	$inside = rtrim( $inside, '/' ) . '/index.php';
}
if ( ! is_file( $root . $inside ) ) { $inside = $base . '/index.php'; }
$file = $root . $inside;
if ( substr( $file, -4 ) !== '.php' ) {
	$types = array( 'css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'png' => 'image/png', 'jpg' => 'image/jpeg', 'webp' => 'image/webp', 'woff2' => 'font/woff2', 'json' => 'application/json' );
	$end = pathinfo( $file, PATHINFO_EXTENSION );
	header( 'Content-Type: ' . ( $types[ $end ] ?? 'application/octet-stream' ) );
	readfile( $file );
	exit;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $inside;
$_SERVER['SCRIPT_FILENAME'] = $file;
$_SERVER['DOCUMENT_ROOT'] = $root;
chdir( dirname( $file ) );
require $file;
`;

const config = ({ socket, url, home, network, port }) => `<?php
define( 'DB_NAME', 'wordpress' ); define( 'DB_USER', 'root' ); define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' ); define( 'DB_CHARSET', 'utf8mb4' ); define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $kind ) {
	define( $kind . '_KEY', 'key of a test for ' . $kind ); define( $kind . '_SALT', 'salt of a test for ' . $kind );
}
define( 'WP_DEBUG', true ); define( 'WP_DEBUG_DISPLAY', false ); define( 'WP_DEBUG_LOG', __DIR__ . '/debug.log' );
define( 'WP_ENVIRONMENT_TYPE', 'production' );
// Nothing is asked of anybody else, and nothing runs beside the tests.
define( 'WP_HTTP_BLOCK_EXTERNAL', true ); define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost' );
define( 'DISABLE_WP_CRON', true ); define( 'WP_AUTO_UPDATE_CORE', false ); define( 'AUTOMATIC_UPDATER_DISABLED', true ); define( 'FS_METHOD', 'direct' );
${network ? `define( 'WP_ALLOW_MULTISITE', true );
if ( ! defined( 'NETWORK_IS_BEING_MADE' ) ) {
define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'DOMAIN_CURRENT_SITE', '127.0.0.1:${port}' );
define( 'PATH_CURRENT_SITE', '${home}/' ); define( 'SITE_ID_CURRENT_SITE', 1 ); define( 'BLOG_ID_CURRENT_SITE', 1 ); }` : `define( 'WP_HOME', '${url}' ); define( 'WP_SITEURL', '${url}' );`}
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
require_once ABSPATH . 'wp-settings.php';
`;

export class WordPress {
  /**
   * With the plugin of this tree among its plugins, not active, unless it is to be uploaded. `home`: the folder of the address;
   * `network`: of sites in folders; `theme`: one that is there; `files`: another WordPress.
   */
  static async start({ home = "", network = false, theme = "twentytwentythree", language = "", unpacked = true, files = debian } = {}) {
    const it = new WordPress();
    it.folder = await mkdtemp(path.join(tmpdir(), "shingle-wordpress-"));
    it.home = home;
    it.files = path.join(it.folder, "site", home);
    it.port = await freePort();
    it.url = `http://127.0.0.1:${it.port}${home}`;
    await mkdir(it.files, { recursive: true });
    await run("cp", ["-rL", `${files}/.`, it.files]);
    await it.startDatabase();
    await writeFile(path.join(it.files, "wp-config.php"), config({ ...it, socket: it.socket, network }));
    await writeFile(path.join(it.folder, "router.php"), router(home));
    it.plugin = path.join(it.files, "wp-content/plugins", slug);
    if (unpacked) await cp(path.join(root, "www/wordpress"), it.plugin, { recursive: true });
    await it.install({ network, theme, language });
    await it.serve();
    return it;
  }

  async startDatabase() {
    const data = path.join(this.folder, "database");
    this.socket = path.join(this.folder, "sql");
    await mkdir(data);
    const user = process.getuid?.() === 0 ? ["--user=root"] : [];
    await run(found("installer"), ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...user]);
    const words = ["--no-defaults", `--datadir=${data}`, `--socket=${this.socket}`, "--skip-networking", `--pid-file=${this.folder}/pid`, ...user];
    this.database = spawnMortal(found("mariadbd"), words, { stdio: ["ignore", "ignore", "pipe"] });
    await new Promise((ready, failed) => {
      let said = "";
      this.database.stderr.on("data", (chunk) => {
        said += chunk;
        if (said.includes("ready for connections")) ready();
      });
      this.database.once("exit", () => failed(new Error(`the database did not start:\n${said}`)));
    });
  }

  /** What the page of the installation does. */
  async install({ network, theme, language }) {
    const host = `$_SERVER['HTTP_HOST'] = '127.0.0.1:${this.port}'; $_SERVER['REQUEST_URI'] = '${this.home}/'; $_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';`;
    await this.raw(`mysqli_report( MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT ); ( new mysqli( 'localhost', 'root', '', '', 0, '${this.socket}' ) )->query( 'CREATE DATABASE wordpress' );`);
    const made = network ? "define( 'NETWORK_IS_BEING_MADE', true );" : "";
    await this.raw(`${host} ${made} define( 'WP_INSTALLING', true ); require '${this.files}/wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
      wp_install( 'Quillback Roofing', '${admin.name}', '${admin.email}', true, '', '${admin.password}', '${language}' );
      update_option( 'siteurl', '${this.url}' ); update_option( 'home', '${this.url}' );
      switch_theme( '${theme}' ); update_option( 'permalink_structure', '/%postname%/' );
      update_option( 'auto_update_plugins', array() );
      ${network ? `require_once ABSPATH . 'wp-admin/includes/network.php'; require_once ABSPATH . 'wp-admin/includes/schema.php';
      foreach ( $wpdb->tables( 'ms_global' ) as $table => $prefixed ) { $wpdb->$table = $prefixed; }
      install_network(); populate_network( 1, '127.0.0.1:${this.port}', '${admin.email}', 'Quillback network', '${this.home}/', false );` : ""}`);
    this.host = host;
  }

  /** Runs PHP without WordPress; what it prints. */
  async raw(code) {
    const { stdout } = await run(found("php"), [...quiet, "-d", "display_errors=stderr", "-d", "error_reporting=E_ALL & ~E_DEPRECATED", "-r", code], { maxBuffer: 16 << 20 });
    return stdout;
  }

  /** Runs PHP inside of WordPress, as an administrator; what it returns. */
  async php(code, { site = this.home + "/" } = {}) {
    const where = this.host.replace(`'REQUEST_URI'] = '${this.home}/'`, `'REQUEST_URI'] = '${site}'`);
    return JSON.parse(await this.raw(`${where} require '${this.files}/wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php'; wp_set_current_user( 1 );
      $answer = ( function () { global $wpdb; ${code} } )(); echo wp_json_encode( $answer );`));
  }

  async serve() {
    const words = ["-S", `127.0.0.1:${this.port}`, "-t", path.join(this.folder, "site"), path.join(this.folder, "router.php")];
    this.server = spawnMortal(found("php"), [...quiet, "-d", "upload_max_filesize=64M", "-d", "post_max_size=64M", ...words], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.log = "";
    await new Promise((ready, failed) => {
      this.server.stderr.on("data", (chunk) => {
        this.log = (this.log + chunk).slice(-200_000);
        if (this.log.includes("Development Server")) ready();
      });
      this.server.once("exit", () => failed(new Error(`PHP did not start:\n${this.log}`)));
    });
  }

  /** Headers that a web server would send with every page, or nothing more. */
  headers(code) {
    const file = path.join(this.folder, "headers.php");
    return code ? writeFile(file, `<?php ${code}`) : rm(file, { force: true });
  }

  /** A plugin that is always on. */
  async always(name, code) {
    const folder = path.join(this.files, "wp-content/mu-plugins");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${name}.php`), `<?php ${code}`);
  }

  /** One more site of the network; its id. WordPress itself makes no site with a port. */
  addSite(name) {
    const at = this.home + "/" + name;
    return this.php(`$id = wpmu_create_blog( 'placeholder.example', '${at}/', '${name}', 1 ); if ( is_wp_error( $id ) ) { return $id->get_error_message(); }
      $wpdb->update( $wpdb->blogs, array( 'domain' => '127.0.0.1:${this.port}' ), array( 'blog_id' => $id ) ); clean_blog_cache( $id );
      switch_to_blog( $id ); update_option( 'home', 'http://127.0.0.1:${this.port}${at}' ); update_option( 'siteurl', 'http://127.0.0.1:${this.port}${at}' );
      update_option( 'permalink_structure', '/%postname%/' ); restore_current_blog(); return $id;`);
  }

  activate(network = false) {
    return this.php(`return activate_plugin( '${slug}/${slug}.php', '', ${network} );`);
  }

  /** A published page with this content; its address. */
  page(title, content, site) {
    const sent = Buffer.from(JSON.stringify({ post_title: title, post_content: content, post_status: "publish", post_type: "page" })).toString("base64");
    return this.php(`$id = wp_insert_post( wp_slash( json_decode( base64_decode( '${sent}' ), true ) ), true ); return array( 'id' => $id, 'url' => get_permalink( $id ) );`, site && { site });
  }

  /** What PHP and WordPress complained about, in our files. */
  async complaints() {
    const file = path.join(this.files, "debug.log");
    const lines = existsSync(file) ? (await run("cat", [file], { maxBuffer: 16 << 20 })).stdout.split("\n") : [];
    return lines.filter((line) => line.includes(`plugins/${slug}`));
  }

  /** Signs in as this person. */
  async signIn(page, { name, password } = admin, at = this.url) {
    await page.goto(`${at}/wp-login.php`);
    await page.locator("#user_login").fill(name);
    await page.locator("#user_pass").fill(password);
    await page.locator("#wp-submit").click();
    await page.waitForURL(/wp-admin/);
  }

  async stop() {
    for (const child of [this.server, this.database]) {
      if (!child || child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
