<?php

declare(strict_types=1);

namespace Shingle\Client;

/** No answer came: the server cannot be reached, the connection broke, or it took too long. */
class ConnectionFailedException extends ShingleException
{
}
