<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 500 and above. */
final class ServerException extends ApiException
{
}
