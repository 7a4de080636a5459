<?php

declare(strict_types=1);

namespace Shingle\Client;

/** A request that says it is a webhook's is not, or is too old. Answer it with 400. */
final class WebhookVerificationException extends ShingleException
{
}
