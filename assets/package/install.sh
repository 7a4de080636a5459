#!/bin/sh
# Installs one program, `shingle`, after checking its sum.
#
#     sh install.sh --from FOLDER-OR-URL [--into FOLDER]
#
# FOLDER-OR-URL is where the files of a release are. Without --into, the program goes into ~/.local/bin; for everyone
# on this machine name a folder such as /usr/local/bin, as root. For a service with a user of its own, install the .deb
# or .rpm instead. Nothing else on this machine is changed.
set -eu

version=@VERSION@
from=
into=

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Everything is in a function: a download that was cut short does nothing.
main() {
    while [ $# -gt 0 ]; do
        case "$1" in
        --from | --into)
            [ $# -ge 2 ] || fail "$1 needs a value"
            case "$1" in
            --from) from=$2 ;;
            --into) into=$2 ;;
            esac
            shift 2
            ;;
        --help)
            echo "sh install.sh --from FOLDER-OR-URL [--into FOLDER]"
            exit 0
            ;;
        *) fail "unknown option $1; --help lists them" ;;
        esac
    done
    [ -n "$from" ] || fail "say where the files of the release are: --from FOLDER-OR-URL"
    if [ -z "$into" ]; then
        [ "$(id -u)" -ne 0 ] || fail "you are root: name the folder, such as --into /usr/local/bin"
        [ -n "${HOME:-}" ] || fail "HOME is not set: name the folder with --into"
        into=$HOME/.local/bin
    fi

    [ "$(uname -s)" = Linux ] || fail "this release is for Linux, and this machine runs $(uname -s)"
    case "$(uname -m)" in
    x86_64 | amd64) target=x86_64-unknown-linux-musl ;;
    aarch64 | arm64) target=aarch64-unknown-linux-musl ;;
    *) fail "this release is for x86_64 and aarch64, and this machine is $(uname -m)" ;;
    esac
    command -v sha256sum >/dev/null || fail "sha256sum is missing: install coreutils"
    command -v tar >/dev/null || fail "tar is missing"
    command -v xz >/dev/null || fail "xz is missing: install xz-utils or xz"

    case "$into" in
    /*) ;;
    *) into=$PWD/$into ;;
    esac
    case "$from" in
    /* | *://*) ;;
    *) from=$PWD/$from ;;
    esac
    name=shingle-$version-$target
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    fetch SHA256SUMS
    fetch "$name.tar.xz"
    cd "$work"
    grep "  $name.tar.xz\$" SHA256SUMS >wanted || fail "SHA256SUMS has no sum of $name.tar.xz"
    sha256sum -c wanted >/dev/null 2>&1 || fail "$name.tar.xz is not the file that SHA256SUMS names; nothing was installed"
    tar -xJf "$name.tar.xz" "$name/shingle"

    # Put in place in one step: the program that is there may be running.
    mkdir -p "$into" || fail "$into cannot be made"
    cp "$name/shingle" "$into/.shingle-new" || fail "$into cannot be written"
    chmod 755 "$into/.shingle-new"
    mv "$into/.shingle-new" "$into/shingle"
    "$into/shingle" --version
    case ":$PATH:" in
    *":$into:"*) ;;
    *) echo "Add $into to PATH, then run: shingle serve" ;;
    esac
}

fetch() {
    case "$from" in
    https://*)
        if command -v curl >/dev/null; then
            curl --proto '=https' --fail --silent --show-error --location --output "$work/$1" "$from/$1" ||
                fail "$from/$1 was not received"
        elif command -v wget >/dev/null; then
            wget --https-only --quiet --output-document "$work/$1" "$from/$1" || fail "$from/$1 was not received"
        else
            fail "curl or wget is needed to fetch from $from"
        fi
        ;;
    *://*) fail "only https:// addresses and folders are read, not $from" ;;
    *) cp "$from/$1" "$work/$1" || fail "$from/$1 cannot be read" ;;
    esac
}

main "$@"
