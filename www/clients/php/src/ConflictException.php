<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 409 */
final class ConflictException extends ApiException
{
}
