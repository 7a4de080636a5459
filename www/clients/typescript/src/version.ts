// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

export const version = "0.1.0";
