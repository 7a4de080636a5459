<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 401: the key is missing, unknown, revoked or expired. */
final class UnauthorizedException extends ApiException
{
}
