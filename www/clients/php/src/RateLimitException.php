<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 429: too many requests. */
final class RateLimitException extends ApiException
{
}
