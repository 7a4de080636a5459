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
 * @phpstan-import-type ErasePersonBody from Types
 * @phpstan-import-type ErasedPerson from Types
 * @phpstan-import-type ExportPersonBody from Types
 * @phpstan-import-type PersonExport from Types
 */
final class People
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Get everything that is stored of a person.
     *
     * Of all leads that have the e-mail address or the telephone number. It is a POST, so that neither is in an address, which servers write into their logs.
     *
     * @param ExportPersonBody $body
     * @return PersonExport
     * @throws ShingleException
     */
    public function export(array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/people/export', json: $body, objects: ['']), $options);
    }

    /**
     * Erase everything that is stored of a person.
     *
     * Erases every lead that has the e-mail address or the telephone number. This cannot be undone; what it would erase is told by `/api/v1/people/export`.
     *
     * @param ErasePersonBody $body
     * @return ErasedPerson
     * @throws ShingleException
     */
    public function erase(array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/people/erase', json: $body, objects: ['']), $options);
    }
}
