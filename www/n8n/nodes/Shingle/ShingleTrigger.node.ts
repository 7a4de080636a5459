import type {
	IDataObject,
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { Lead, Memory } from './memory';
import { isNew, newOfVisit, noteVisit } from './memory';
import { ask, refusal, request } from './request';
import type { Check } from './signature';
import { byPublicKey, bySecret, distrust } from './signature';

/** What is kept between runs. The editor's test has a webhook of its own beside that of the active workflow. */
interface Kept extends Memory {
	webhooks?: { [url: string]: { id: string; secret: string } };
}

type Wanted = 'leadCreated' | 'leadChanged' | 'visitRequested' | 'visitBooked';

interface Hook extends IDataObject {
	id: string;
	url: string;
	events: string[];
	active: boolean;
	widgets?: string[];
}

const ABOUT_VISITS: Wanted[] = ['visitRequested', 'visitBooked'];
/** Pages of a hundred leads whose visits are known from the start. */
const PAGES_AT_START = 5;

/** The server's events that are needed for these. */
function serverEvents(wanted: Wanted[]): string[] {
	const visits = wanted.some((event) => ABOUT_VISITS.includes(event));
	const events = [];
	if (visits || wanted.includes('leadCreated')) events.push('lead.created');
	if (visits || wanted.includes('leadChanged')) events.push('lead.updated');
	return events;
}

const kept = (of: IHookFunctions | IWebhookFunctions) => of.getWorkflowStaticData('node') as Kept;

function settings(of: IHookFunctions) {
	const wanted = of.getNodeParameter('events') as Wanted[];
	const { widgets = '' } = of.getNodeParameter('options', {}) as { widgets?: string };
	return { wanted, events: serverEvents(wanted), widgets: widgets.split(/[\s,]+/).filter(Boolean) };
}

const same = (one: string[], other: string[]) => one.length === other.length && one.every((text) => other.includes(text));

/** Removes every webhook of this address: one whose secret we have lost is of no use. */
async function removeAll(hook: IHookFunctions, url: string): Promise<void> {
	const listed = (await request(hook, 'GET', '/api/v1/webhooks')) as unknown as Hook[];
	for (const { id } of listed.filter((one) => one.url === url)) {
		const answer = await ask(hook, 'DELETE', `/api/v1/webhooks/${id}`);
		if (answer.statusCode >= 300 && answer.statusCode !== 404) throw refusal(hook, answer);
	}
}

/** Visits that are booked before the workflow is active are no news. */
async function noteVisitsOfNow(hook: IHookFunctions, memory: Memory): Promise<void> {
	const leads: Lead[] = [];
	let cursor: unknown;
	for (let page = 0; page < PAGES_AT_START && cursor !== null; page++) {
		const qs: IDataObject = cursor ? { limit: 100, cursor: cursor as string } : { limit: 100 };
		const { data, nextCursor } = await request(hook, 'GET', '/api/v1/leads', { qs });
		leads.push(...(data as Lead[]));
		cursor = nextCursor;
	}
	for (const lead of leads.reverse()) noteVisit(memory, lead);
}

/**
 * What signatures are checked with: secrets, or the keys that the server publishes. n8n keeps nothing between the begin of a test in the
 * editor and its event, and names the address of the active workflow in both.
 */
async function checksOf(trigger: IWebhookFunctions): Promise<Check[]> {
	const secrets = Object.values(kept(trigger).webhooks ?? {});
	if (secrets.length) return secrets.map(({ secret }) => bySecret(secret));
	const ending = (trigger.getNodeWebhookUrl('default') as string).split('/').slice(-2).join('/');
	const listed = (await request(trigger, 'GET', '/api/v1/webhooks')) as unknown as Hook[];
	const checks: Check[] = [];
	for (const { id } of listed.filter(({ url }) => url.endsWith(`/${ending}`))) {
		const { keys } = await request(trigger, 'GET', `/webhook-keys/${id}`);
		checks.push(...(keys as string[]).map(byPublicKey));
	}
	return checks;
}

export class ShingleTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Shingle Trigger',
		name: 'shingleTrigger',
		icon: { light: 'file:shingle.svg', dark: 'file:shingle.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow with a roof lead, and with what becomes of it',
		defaults: { name: 'Shingle Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'shingleApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
		properties: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['leadCreated'],
				description: 'One run has one event: of those you choose, the one that says most',
				options: [
					{
						name: 'Lead Changed',
						value: 'leadChanged',
						description: 'You, the homeowner or another program changed it: status, answers, visit',
					},
					{ name: 'Lead Created', value: 'leadCreated', description: 'A homeowner left their details' },
					{
						name: 'Visit Booked',
						value: 'visitBooked',
						description: 'You confirmed the visit that a homeowner asked for. Once for each visit.',
					},
					{
						name: 'Visit Requested',
						value: 'visitRequested',
						description: 'A homeowner asks for a visit and names times. Once for each request.',
					},
				],
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Widget IDs',
						name: 'widgets',
						type: 'string',
						default: '',
						description: 'Only leads of these widgets, with commas between. Leave blank for all.',
					},
				],
			},
		],
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const url = this.getNodeWebhookUrl('default') as string;
				const known = kept(this).webhooks?.[url];
				if (!known) return false;
				const answer = await ask(this, 'GET', `/api/v1/webhooks/${known.id}`);
				if (answer.statusCode === 404) return false;
				if (answer.statusCode >= 300) throw refusal(this, answer);
				const hook = answer.body as Hook;
				const { events, widgets } = settings(this);
				return hook.active && hook.url === url && same(hook.events, events) && same(hook.widgets ?? [], widgets);
			},

			async create(this: IHookFunctions): Promise<boolean> {
				const url = this.getNodeWebhookUrl('default') as string;
				const data = kept(this);
				const { wanted, events, widgets } = settings(this);
				// One that an earlier run has left would send everything twice.
				await removeAll(this, url);
				if (wanted.some((event) => ABOUT_VISITS.includes(event))) await noteVisitsOfNow(this, data);
				const { name } = this.getWorkflow();
				const body: IDataObject = {
					name: `n8n: ${name ?? 'workflow'}`.slice(0, 200),
					url,
					events,
					// What became of a visit is only known in order.
					ordered: true,
				};
				if (widgets.length) body.widgets = widgets;
				const { id, secret } = await request(this, 'POST', '/api/v1/webhooks', { body });
				data.webhooks = { ...data.webhooks, [url]: { id: id as string, secret: secret as string } };
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				const url = this.getNodeWebhookUrl('default') as string;
				const data = kept(this);
				const known = data.webhooks?.[url];
				try {
					if (known) {
						const answer = await ask(this, 'DELETE', `/api/v1/webhooks/${known.id}`);
						if (answer.statusCode >= 300 && answer.statusCode !== 404) throw refusal(this, answer);
					} else {
						await removeAll(this, url);
					}
				} catch (error) {
					// A workflow with an old key must still be one that can be switched off.
					this.logger.error(`Shingle keeps a webhook for ${url}. Delete it in the portal under Connections. ${(error as Error).message}`);
					return false;
				}
				const { [url]: _, ...others } = data.webhooks ?? {};
				data.webhooks = others;
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const headers = this.getHeaderData();
		const { rawBody } = this.getRequestObject();
		const data = kept(this);
		const one = (name: string) => String(headers[name] ?? '');
		const signed = {
			id: one('webhook-id'),
			timestamp: one('webhook-timestamp'),
			signatures: one('webhook-signature'),
			body: rawBody,
		};
		const wrong = distrust(signed, await checksOf(this), Date.now());
		if (wrong) {
			this.logger.warn(`Shingle Trigger refused a request: ${wrong}`);
			this.getResponseObject().status(401).json({ message: `Refused: ${wrong}` });
			return { noWebhookResponse: true };
		}
		const event = this.getBodyData();
		const type = event.type as string;
		// A test from the portal.
		if (!type.startsWith('lead.') || !isNew(data, event.id as string)) return { webhookResponse: 'OK' };
		const wanted = this.getNodeParameter('events') as Wanted[];
		const lead = event.data as Lead;
		const visit = wanted.some((one) => ABOUT_VISITS.includes(one)) ? newOfVisit(data, lead) : undefined;
		const plain: Wanted = type === 'lead.created' ? 'leadCreated' : 'leadChanged';
		const happened = visit && wanted.includes(visit) ? visit : plain;
		if (!wanted.includes(happened)) return { webhookResponse: 'OK' };
		const { id: eventId, timestamp, sequence } = event;
		return { workflowData: [this.helpers.returnJsonArray([{ event: happened, eventId, timestamp, sequence, lead }])] };
	}
}
