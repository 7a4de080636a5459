<?php

declare(strict_types=1);

namespace Shingle\Client;

/** Everything that this package throws is one of these. */
class ShingleException extends \RuntimeException
{
}
