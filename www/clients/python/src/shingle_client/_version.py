"""Written by www/clients/generate.mjs from the description of the API. Do not change it by hand."""

__version__ = "0.1.0"
