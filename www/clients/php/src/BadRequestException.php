<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 400: a field is missing or wrong, or the account may not do this. */
final class BadRequestException extends ApiException
{
}
