<?php

// Calls every operation and prints which requests were sent: php every-operation.php curl|stream, with a server in SHINGLE_URL,
// SHINGLE_KEY, and what is on it in SHINGLE_LEAD and SHINGLE_LOGO.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Shingle\Client\CurlTransport;
use Shingle\Client\NotFoundException;
use Shingle\Client\Request;
use Shingle\Client\Response;
use Shingle\Client\Shingle;
use Shingle\Client\StreamTransport;
use Shingle\Client\Transport;
use Shingle\Client\UnauthorizedException;
use Shingle\Client\Upload;

$recording = new class ($argv[1] === 'curl' ? new CurlTransport() : new StreamTransport()) implements Transport {
    /** @var list<string> */
    public array $sent = [];

    public function __construct(private readonly Transport $inner)
    {
    }

    public function send(Request $request): Response
    {
        $this->sent[] = $request->method . ' ' . parse_url($request->url, PHP_URL_PATH);
        return $this->inner->send($request);
    }
};

function check(bool $is, string $what): void
{
    if (!$is) {
        throw new LogicException("not so: $what");
    }
}

$lead = getenv('SHINGLE_LEAD');
$shingle = new Shingle(getenv('SHINGLE_URL'), getenv('SHINGLE_KEY'), transport: $recording);
$address = '14 Alder Court, Harrow Falls, ME 04995';
$parts = ['streetNumber' => '14', 'streetAddress' => 'Alder Court', 'city' => 'Harrow Falls', 'state' => 'ME', 'zip' => '04995'];
$since = ['since' => '2026-01-01T00:00:00.000Z'];

// Look-ups
foreach (['addressInfo', 'addressInfoV2', 'buyerInsights', 'roofEstimate', 'solarIndex', 'utilityBill'] as $name) {
    check(new DateTimeImmutable($shingle->lookUp->$name($address)['timestamp']) > new DateTimeImmutable('2020-01-01'), $name);
}
$whole = $shingle->lookUp->roofEstimate($parts, include: ['match', 'range'], roofMaterial: 'metal');
check($whole['match']['level'] === 'exact' && $whole['roofMaterial'] === 'metal', 'the parts of an address');
check($shingle->lookUp->roofEstimate('1 Nowhere Street, Harrow Falls, ME 04995')['roofArea'] === null, 'an unknown home');
check($shingle->usage->get(from: '2026-01-01', to: '2026-01-02')['total']['calls'] >= 0, 'usage');

// Widgets
$made = preg_replace('/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/', '$1-$2-4$3-8$4-$5', bin2hex(random_bytes(16)));
$colors = array_fill_keys(['primaryColor', 'secondaryColor', 'backgroundColor', 'cardBackgroundColor', 'textColor', 'linkColor'], '#1a5f3c');
$widget = $shingle->widgets->create($colors + [
    'referenceId' => $made, 'footerCompanyName' => 'Elm Roofing', 'footerPirvacyPolicyLink' => 'https://elm.example.com/privacy',
    'status' => 'active', 'companyName' => 'Elm Roofing', 'companyPhone' => '(207) 555-0101', 'companyEmail' => 'office@elm.example.com',
    'companyUrl' => 'https://elm.example.com', 'companyAddress' => '1 Main Street, Portland, ME 04101', 'domains' => '127.0.0.1',
    'firstPageTitle' => 'What would a new roof cost?', 'headerLogo' => Upload::fromFile(getenv('SHINGLE_LOGO')),
]);
check($widget['referenceId'] === $made, 'a widget is made');
check(in_array($made, array_column($shingle->widgets->list(), 'referenceId'), true), 'widgets are listed');
check($shingle->widgets->get($made)['companyName'] === 'Elm Roofing', 'a widget is read');
$changed = $shingle->widgets->update($made, ['companyName' => 'Olmo y Peña', 'removeFooterLogo' => true]);
check($changed['companyName'] === 'Olmo y Peña', 'a widget is changed');
$shingle->widgets->uploadLogos($made, ['footerLogo' => Upload::fromFile(getenv('SHINGLE_LOGO'))]);
$settings = $shingle->widgets->getSettings($made);
check($shingle->widgets->replaceSettings($made, $settings) == $settings, 'settings go there and back');

// Leads
check(array_column($shingle->leads->list(search: 'alder court', limit: 1)['data'], 'id') === [$lead], 'leads are listed');
check(in_array($lead, array_column(iterator_to_array($shingle->leads->listAll(limit: 1), false), 'id'), true), 'page by page');
check($shingle->leads->get($lead)['email'] === 'ann@example.com', 'a lead');
check($shingle->leads->update($lead, ['status' => 'contacted'])['status'] === 'contacted', 'a lead is changed');
check(str_contains($shingle->leads->csv(status: 'contacted'), 'ann@example.com'), 'leads as a table');
check($shingle->leads->addNote($lead, ['text' => 'Called, no answer.'])['text'] === 'Called, no answer.', 'a note is added');
check(in_array('Called, no answer.', array_column($shingle->leads->notes($lead), 'text'), true), 'notes are listed');
check($shingle->leads->repeatedAddresses() === [], 'repeated addresses');
check($shingle->leads->consentCertificate($lead)['consents'][0]['evidence']['email'] === 'ann@example.com', 'a certificate');
check(str_contains($shingle->leads->consentPage($lead), 'ann@example.com'), 'a certificate as a page');
$person = $shingle->people->export(['email' => 'ann@example.com']);
check(str_starts_with($shingle->leads->photo($lead, $person['data'][0]['photos'][0]['id']), "\xff\xd8"), 'a photograph');
check(isset($shingle->leads->deliveries($lead)['data']), 'deliveries of a lead');
$shingle->leads->revokeLink($lead);

// Webhooks and their deliveries
$body = ['name' => 'CRM', 'url' => 'https://93.184.216.34/', 'events' => ['lead.created', 'lead.updated']];
$hook = $shingle->webhooks->create($body, idempotencyKey: $made);
check($shingle->webhooks->create($body, idempotencyKey: $made)['id'] === $hook['id'], 'the same key, the same webhook');
check(in_array($hook['id'], array_column($shingle->webhooks->list(), 'id'), true), 'webhooks');
check($shingle->webhooks->get($hook['id'])['name'] === 'CRM', 'a webhook');
check($shingle->webhooks->update($hook['id'], ['name' => 'Office'])['name'] === 'Office', 'a webhook is changed');
$started = $shingle->webhooks->test($hook['id'])['deliveryId'];
check($shingle->deliveries->get($started)['event'] === 'ping', 'a delivery');
check($shingle->webhooks->deliveries($hook['id'], limit: 5)['data'] !== [], 'deliveries of a webhook');
foreach ($shingle->webhooks->deliveriesAll($hook['id'], limit: 1) as $delivery) {
    check($delivery['destinationId'] === $hook['id'], 'deliveries page by page');
}
$shingle->deliveries->replay($started);
$shingle->webhooks->replay($hook['id'], $since);
check($shingle->webhooks->rotateSecret($hook['id'])['secret'] !== $hook['secret'], 'a new secret');
$shingle->webhooks->delete($hook['id']);

// Connectors
check(in_array('slack', array_column($shingle->connectors->list(), 'name'), true), 'connectors');
check($shingle->connectors->get('slack')['name'] === 'slack', 'a connector');
$slack = ['connector' => 'slack', 'settings' => ['webhook_url' => 'https://hooks.slack.com/services/T/B/X']];
$place = $shingle->destinations->create($slack)['id'];
check(in_array($place, array_column($shingle->destinations->list(), 'id'), true), 'destinations');
check($shingle->destinations->get($place)['connector'] === 'slack', 'a destination');
check($shingle->destinations->update($place, ['active' => false])['active'] === false, 'a destination is changed');
$shingle->destinations->test($place);
check($shingle->destinations->deliveries($place)['data'] !== [], 'deliveries of a destination');
$shingle->destinations->replay($place, $since);
$shingle->destinations->delete($place);

// Notices and personal data
$notices = $shingle->notices->get();
check($shingle->notices->replace($notices) == $notices, 'notices go there and back');
check($shingle->retention->set(['days' => 1500])['days'] === 1500, 'retention');
check($shingle->retention->get(days: 1)['due']['leads'] === 0, 'what would be erased');
check($shingle->retention->set([])['days'] === null, 'an empty body is an object');
check($shingle->people->erase(['email' => 'nobody@example.com'])['leads'] === [], 'nobody is erased');
if (getenv('SHINGLE_ERASE')) {
    check($shingle->leads->erase($lead)['erased'], 'a lead is erased');
    try {
        $shingle->leads->get($lead);
        check(false, 'it is gone');
    } catch (NotFoundException) {
    }
}

try {
    (new Shingle(getenv('SHINGLE_URL'), 'sandbox_wrong'))->leads->list();
    check(false, 'a wrong key is refused');
} catch (UnauthorizedException $error) {
    check($error->body === ['message' => 'API key is invalid', 'error' => 'Unauthorized', 'statusCode' => 401], 'the error of the contract');
}
echo json_encode($recording->sent);
