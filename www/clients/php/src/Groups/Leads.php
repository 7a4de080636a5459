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
 * @phpstan-import-type AddLeadNoteBody from Types
 * @phpstan-import-type ConsentCertificate from Types
 * @phpstan-import-type DeliveryList from Types
 * @phpstan-import-type Erased from Types
 * @phpstan-import-type Lead from Types
 * @phpstan-import-type LeadNote from Types
 * @phpstan-import-type LeadPage from Types
 * @phpstan-import-type RepeatedAddress from Types
 * @phpstan-import-type Revoked from Types
 * @phpstan-import-type UpdateLeadBody from Types
 */
final class Leads
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * List leads.
     *
     * The newest first, a page at a time.
     *
     * @param 'new'|'contacted'|'qualified'|'won'|'lost'|'spam'|null $status Only leads of this status.
     * @param string|null $widgetId Only leads of this widget.
     * @param string|null $search Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is enough from three letters on. Four words count.
     * @param int|null $limit How many at most.
     * @param string|null $cursor `nextCursor` of the page before.
     * @return LeadPage
     * @throws ShingleException
     */
    public function list(?string $status = null, ?string $widgetId = null, ?string $search = null, ?int $limit = null, ?string $cursor = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads', query: ['status' => $status, 'widgetId' => $widgetId, 'search' => $search, 'limit' => $limit, 'cursor' => $cursor]), $options);
    }

    /**
     * Like `list`: every item, of one page after the other.
     *
     * @param 'new'|'contacted'|'qualified'|'won'|'lost'|'spam'|null $status Only leads of this status.
     * @param string|null $widgetId Only leads of this widget.
     * @param string|null $search Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is enough from three letters on. Four words count.
     * @param int|null $limit How many at most.
     * @return \Generator<int, Lead>
     * @throws ShingleException
     */
    public function listAll(?string $status = null, ?string $widgetId = null, ?string $search = null, ?int $limit = null, ?RequestOptions $options = null): \Generator
    {
        $cursor = null;
        do {
            $page = $this->list(status: $status, widgetId: $widgetId, search: $search, limit: $limit, cursor: $cursor, options: $options);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $cursor = $page['nextCursor'];
        } while ($cursor !== null);
    }

    /**
     * Download leads as a table.
     *
     * All of them, without pages, one row for each; the first row names the columns.
     *
     * @param 'new'|'contacted'|'qualified'|'won'|'lost'|'spam'|null $status Only leads of this status.
     * @param string|null $widgetId Only leads of this widget.
     * @param string|null $search Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is enough from three letters on. Four words count.
     * @return string
     * @throws ShingleException
     */
    public function csv(?string $status = null, ?string $widgetId = null, ?string $search = null, ?RequestOptions $options = null): string
    {
        return $this->http->text(new Call('GET', '/api/v1/leads.csv', query: ['status' => $status, 'widgetId' => $widgetId, 'search' => $search], accept: 'text/csv'), $options);
    }

    /**
     * List addresses that leads name again and again.
     *
     * Those that five and more leads of one widget and day name, of the last thirty days; the most repeated first, a hundred at most.
     *
     * @return list<RepeatedAddress>
     * @throws ShingleException
     */
    public function repeatedAddresses(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads/repeated'), $options);
    }

    /**
     * Get a lead.
     *
     * The whole record.
     *
     * @return Lead
     * @throws ShingleException
     */
    public function get(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id)), $options);
    }

    /**
     * Change a lead.
     *
     * Its status, its message, and what became of the visit that was asked for. Every change is a `lead.updated`.
     *
     * @param UpdateLeadBody $body
     * @return Lead
     * @throws ShingleException
     */
    public function update(string $id, array $body = [], ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PATCH', '/api/v1/leads/' . Call::segment('id', $id), json: $body, objects: ['', 'inspection']), $options);
    }

    /**
     * Erase a lead.
     *
     * Deletes every personal datum of it, also in the log of deliveries. This cannot be undone.
     *
     * @return Erased
     * @throws ShingleException
     */
    public function erase(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('DELETE', '/api/v1/leads/' . Call::segment('id', $id)), $options);
    }

    /**
     * List the notes of a lead.
     *
     * What people of the company and programs wrote down, the oldest first. Homeowners never see them.
     *
     * @return list<LeadNote>
     * @throws ShingleException
     */
    public function notes(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id) . '/notes'), $options);
    }

    /**
     * Add a note to a lead.
     *
     * It is in the lead's timeline, with the name of the key. It changes nothing else of the lead, so there is no event.
     *
     * @param AddLeadNoteBody $body
     * @return LeadNote
     * @throws ShingleException
     */
    public function addNote(string $id, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/leads/' . Call::segment('id', $id) . '/notes', json: $body, objects: ['']), $options);
    }

    /**
     * Get the certificate of consent of a lead.
     *
     * Everything the homeowner agreed to or not: text, time, page, network address and browser, with the person as typed then. It is signed and linked to all consents of the account; `shingle consent verify` checks it offline and names each changed byte.
     *
     * @return ConsentCertificate
     * @throws ShingleException
     */
    public function consentCertificate(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id) . '/consent'), $options);
    }

    /**
     * Get the certificate of consent as a page.
     *
     * The same for people: one file that prints.
     *
     * @return string
     * @throws ShingleException
     */
    public function consentPage(string $id, ?RequestOptions $options = null): string
    {
        return $this->http->text(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id) . '/consent.html', accept: 'text/html'), $options);
    }

    /**
     * Get a photograph of the roof.
     *
     * A JPEG without what the camera wrote into it.
     *
     * @return string
     * @throws ShingleException
     */
    public function photo(string $id, string $photo, ?RequestOptions $options = null): string
    {
        return $this->http->text(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id) . '/photos/' . Call::segment('photo', $photo), accept: 'image/jpeg'), $options);
    }

    /**
     * Switch the link to the estimate off.
     *
     * The page that the homeowner may have passed on. A new link is in later mails.
     *
     * @return Revoked
     * @throws ShingleException
     */
    public function revokeLink(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('DELETE', '/api/v1/leads/' . Call::segment('id', $id) . '/link'), $options);
    }

    /**
     * List the deliveries of a lead.
     *
     * Of everything that happened to it, to any destination.
     *
     * @return DeliveryList
     * @throws ShingleException
     */
    public function deliveries(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/leads/' . Call::segment('id', $id) . '/deliveries'), $options);
    }
}
