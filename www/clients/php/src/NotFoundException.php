<?php

declare(strict_types=1);

namespace Shingle\Client;

/** 404: there is no such record in this account and environment. */
final class NotFoundException extends ApiException
{
}
