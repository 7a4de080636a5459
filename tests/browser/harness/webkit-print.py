"""Prints a page with WebKit as a person does who prints into a file: WebDriver for WebKit has no command for that.

Usage: webkit-print.py ADDRESS PAPER FILE
"""

import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2

address, paper, file = sys.argv[1:]
view = WebKit2.WebView()
window = Gtk.OffscreenWindow()
window.set_default_size(1024, 800)
window.add(view)
window.show_all()


def end(problem):
    print(problem, file=sys.stderr)
    sys.exit(1)


def print_it(_view, event):
    if event != WebKit2.LoadEvent.FINISHED:
        return
    setup = Gtk.PageSetup()
    setup.set_paper_size(Gtk.PaperSize.new(paper))
    for side in ("top", "bottom", "left", "right"):
        # Of the printer; the page has its own in its style.
        getattr(setup, f"set_{side}_margin")(0, Gtk.Unit.MM)
    for side in ("top", "bottom", "left", "right"):
        getattr(setup, f"set_{side}_margin")(12, Gtk.Unit.MM)
    settings = Gtk.PrintSettings()
    settings.set_printer("Print to File")
    settings.set(Gtk.PRINT_SETTINGS_OUTPUT_FILE_FORMAT, "pdf")
    settings.set(Gtk.PRINT_SETTINGS_OUTPUT_URI, pathlib.Path(file).absolute().as_uri())
    operation = WebKit2.PrintOperation.new(view)
    operation.set_page_setup(setup)
    operation.set_print_settings(settings)
    operation.connect("finished", lambda _operation: Gtk.main_quit())
    operation.connect("failed", lambda _operation, error: end(error.message))
    print_it.operation = operation
    operation.print_()


view.connect("load-changed", print_it)
view.connect("load-failed", lambda _view, _event, _address, error: end(error.message))
GLib.timeout_add_seconds(60, lambda: end("the page was not printed within a minute"))
view.load_uri(address)
Gtk.main()
