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
 * @phpstan-import-type AddressInfoAnswer from Types
 * @phpstan-import-type AddressInfoV2Answer from Types
 * @phpstan-import-type AddressParts from Types
 * @phpstan-import-type BuyerInsightsAnswer from Types
 * @phpstan-import-type RoofEstimateAnswer from Types
 * @phpstan-import-type SolarIndexAnswer from Types
 * @phpstan-import-type UtilityBillAnswer from Types
 */
final class LookUp
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Property details, level 1.
     *
     * Owner, age, size and kind of the property at an address.
     *
     * @param string|AddressParts $address
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return AddressInfoAnswer
     * @throws ShingleException
     */
    public function addressInfo(string|array $address, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/address-info', address: $address, query: ['include' => $include]), $options);
    }

    /**
     * Property details, level 2.
     *
     * As level 1, and on request how far a lead from this address can be relied on.
     *
     * @param string|AddressParts $address
     * @param string|null $lastName Last name of the lead, for its integrity score.
     * @param bool|null $leadIntegrityScoreOn Whether the two fields of lead integrity are sent.
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return AddressInfoV2Answer
     * @throws ShingleException
     */
    public function addressInfoV2(string|array $address, ?string $lastName = null, ?bool $leadIntegrityScoreOn = null, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/address-info-v2', address: $address, query: ['lastName' => $lastName, 'leadIntegrityScoreOn' => $leadIntegrityScoreOn, 'include' => $include]), $options);
    }

    /**
     * How the owner buys.
     *
     * Scores of the owner and, on request, advice that goes with them. They rest on stated priors and on no consumer report. Off for production keys until the operator switches the product on.
     *
     * @param string|AddressParts $address
     * @param string|null $lastName Last name of the lead, for its integrity score.
     * @param bool|null $leadIntegrityScoreOn Whether the two fields of lead integrity are sent.
     * @param bool|null $salesHacksOn Whether advice goes with the scores.
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return BuyerInsightsAnswer
     * @throws ShingleException
     */
    public function buyerInsights(string|array $address, ?string $lastName = null, ?bool $leadIntegrityScoreOn = null, ?bool $salesHacksOn = null, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/buyer-insights', address: $address, query: ['lastName' => $lastName, 'leadIntegrityScoreOn' => $leadIntegrityScoreOn, 'salesHacksOn' => $salesHacksOn, 'include' => $include]), $options);
    }

    /**
     * Size, pitch and price of the roof.
     *
     * An approximation, which replaces no inspection.
     *
     * @param string|AddressParts $address
     * @param 'asphalt shingle'|'slate'|'tile'|'metal'|'other'|null $roofMaterial The covering to price.
     * @param int|float|null $installedPrice Your own price of one installed square of 100 square feet, in US dollars; by default that of the reference table.
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return RoofEstimateAnswer
     * @throws ShingleException
     */
    public function roofEstimate(string|array $address, ?string $roofMaterial = null, int|float|null $installedPrice = null, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/roof-estimate', address: $address, query: ['roofMaterial' => $roofMaterial, 'installedPrice' => $installedPrice, 'include' => $include]), $options);
    }

    /**
     * How likely the household takes up solar power.
     *
     * An index from 0 to 10, what to lead with, and the details of the property.
     *
     * @param string|AddressParts $address
     * @param string|null $lastName Last name of the lead, for its integrity score.
     * @param bool|null $leadIntegrityScoreOn Whether the two fields of lead integrity are sent.
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return SolarIndexAnswer
     * @throws ShingleException
     */
    public function solarIndex(string|array $address, ?string $lastName = null, ?bool $leadIntegrityScoreOn = null, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/solar-index', address: $address, query: ['lastName' => $lastName, 'leadIntegrityScoreOn' => $leadIntegrityScoreOn, 'include' => $include]), $options);
    }

    /**
     * Consumption, cost and emissions of a year.
     *
     * Electricity and fuel of the last twelve months, worked out from homes like this one.
     *
     * @param string|AddressParts $address
     * @param list<'match'|'provenance'|'segments'|'range'|'reasons'>|null $include More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is.
     * @return UtilityBillAnswer
     * @throws ShingleException
     */
    public function utilityBill(string|array $address, ?array $include = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/utility-bill', address: $address, query: ['include' => $include]), $options);
    }
}
