<?php

// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

declare(strict_types=1);

namespace Shingle\Client\Groups;

use Shingle\Client\Call;
use Shingle\Client\Http;
use Shingle\Client\RequestOptions;
use Shingle\Client\ShingleException;
use Shingle\Client\Types;

/**
 * @phpstan-import-type ConnectorView from Types
 */
final class Connectors
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * List connectors.
     *
     * Every system that there is a connector for, and what each has to be given.
     *
     * @return list<ConnectorView>
     * @throws ShingleException
     */
    public function list(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/connectors'), $options);
    }

    /**
     * Get a connector.
     *
     * What it does and what it has to be given.
     *
     * @return ConnectorView
     * @throws ShingleException
     */
    public function get(string $name, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/connectors/' . Call::segment('name', $name)), $options);
    }
}
