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
 * @phpstan-import-type NoticeSettings from Types
 * @phpstan-import-type ReplaceNoticeSettingsBody from Types
 */
final class Notices
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Get the settings of notices.
     *
     * Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.
     *
     * @return NoticeSettings
     * @throws ShingleException
     */
    public function get(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/notices'), $options);
    }

    /**
     * Replace the settings of notices.
     *
     * All of them: what is missing becomes the default.
     *
     * @param ReplaceNoticeSettingsBody|NoticeSettings $body
     * @return NoticeSettings
     * @throws ShingleException
     */
    public function replace(array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PUT', '/api/v1/notices', json: $body, objects: ['', 'recipients.*', 'workingHours.*', 'quietHours']), $options);
    }
}
