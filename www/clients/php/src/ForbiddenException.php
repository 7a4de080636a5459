<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 403 */
final class ForbiddenException extends ApiException
{
}
