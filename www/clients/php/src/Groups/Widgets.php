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
 * @phpstan-import-type CreateWidgetBody from Types
 * @phpstan-import-type ReplaceWidgetSettingsBody from Types
 * @phpstan-import-type UpdateWidgetBody from Types
 * @phpstan-import-type UploadWidgetLogosBody from Types
 * @phpstan-import-type WidgetRecord from Types
 * @phpstan-import-type WidgetSettings from Types
 */
final class Widgets
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * List widgets.
     *
     * All of the account, the oldest first. A key for the leads of some widgets lists those.
     *
     * @return list<WidgetRecord>
     * @throws ShingleException
     */
    public function list(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/roof-estimate-widget'), $options);
    }

    /**
     * Make a widget.
     *
     * A form, because it carries the logos. Without logos it may also be JSON or URL-encoded.
     *
     * @param CreateWidgetBody $body
     * @return WidgetRecord
     * @throws ShingleException
     */
    public function create(array $body, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/roof-estimate-widget', form: $body, takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
    }

    /**
     * Get a widget.
     *
     * The whole record.
     *
     * @return WidgetRecord
     * @throws ShingleException
     */
    public function get(string $referenceId, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/roof-estimate-widget/' . Call::segment('referenceId', $referenceId)), $options);
    }

    /**
     * Change a widget.
     *
     * What is not sent stays as it is.
     *
     * @param UpdateWidgetBody $body
     * @return WidgetRecord
     * @throws ShingleException
     */
    public function update(string $referenceId, array $body = [], ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PUT', '/api/v1/roof-estimate-widget/' . Call::segment('referenceId', $referenceId), form: $body), $options);
    }

    /**
     * Replace a widget's logos.
     *
     * One of them or both.
     *
     * @param UploadWidgetLogosBody $body
     * @return WidgetRecord
     * @throws ShingleException
     */
    public function uploadLogos(string $referenceId, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PATCH', '/api/v1/roof-estimate-widget/' . Call::segment('referenceId', $referenceId) . '/upload-logos', form: $body), $options);
    }

    /**
     * Get a widget's settings.
     *
     * What a contractor says beside the record: what the price includes, an example of monthly payment, working hours and more. Where nothing was set, the defaults.
     *
     * @return WidgetSettings
     * @throws ShingleException
     */
    public function getSettings(string $referenceId, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/roof-estimate-widget/' . Call::segment('referenceId', $referenceId) . '/settings'), $options);
    }

    /**
     * Replace a widget's settings.
     *
     * All of them: what is missing or null becomes the default.
     *
     * @param ReplaceWidgetSettingsBody|WidgetSettings $body
     * @return WidgetSettings
     * @throws ShingleException
     */
    public function replaceSettings(string $referenceId, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PUT', '/api/v1/roof-estimate-widget/' . Call::segment('referenceId', $referenceId) . '/settings', json: $body, objects: ['', 'prices', 'monthlyPayment', 'rating', 'mail', 'workingHours', 'workingHours.visits.*', 'workingHours.visits.*.morning', 'workingHours.visits.*.afternoon', 'workingHours.visits.*.evening', 'texts', 'texts.en', 'texts.es', 'launcher', 'aerialPhotos', 'selfBooking']), $options);
    }
}
