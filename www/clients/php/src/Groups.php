<?php

// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

declare(strict_types=1);

namespace Shingle\Client;

/** The operations of the API, in groups. */
abstract class Groups
{
    public readonly Groups\LookUp $lookUp;
    public readonly Groups\Usage $usage;
    public readonly Groups\Widgets $widgets;
    public readonly Groups\Leads $leads;
    public readonly Groups\Webhooks $webhooks;
    public readonly Groups\Deliveries $deliveries;
    public readonly Groups\Connectors $connectors;
    public readonly Groups\Destinations $destinations;
    public readonly Groups\Notices $notices;
    public readonly Groups\People $people;
    public readonly Groups\Retention $retention;

    /** @internal */
    protected function __construct(Http $http)
    {
        $this->lookUp = new Groups\LookUp($http);
        $this->usage = new Groups\Usage($http);
        $this->widgets = new Groups\Widgets($http);
        $this->leads = new Groups\Leads($http);
        $this->webhooks = new Groups\Webhooks($http);
        $this->deliveries = new Groups\Deliveries($http);
        $this->connectors = new Groups\Connectors($http);
        $this->destinations = new Groups\Destinations($http);
        $this->notices = new Groups\Notices($http);
        $this->people = new Groups\People($http);
        $this->retention = new Groups\Retention($http);
    }
}
