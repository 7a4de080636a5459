<?php

// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

declare(strict_types=1);

namespace Shingle\Client;

/** @internal */
final class Version
{
    public const TEXT = '0.1.0';
}
