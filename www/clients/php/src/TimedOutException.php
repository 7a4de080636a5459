<?php

declare(strict_types=1);

namespace Shingle\Client;

/** No whole answer came in time. */
final class TimedOutException extends ConnectionFailedException
{
}
