import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { addressFields, leadFields } from './fields';
import { request } from './request';

/** Characters of a note. */
const LONGEST_NOTE = 4_000;
/** The server's longest page. */
const PAGE = 100;

const LOOK_UPS: { [operation: string]: string } = {
	estimateRoof: 'roof-estimate',
	getProperty: 'address-info',
	getSolarIndex: 'solar-index',
	getUtilityBill: 'utility-bill',
};

/** Leaves out what is empty: an expression without a value must clear nothing. */
const filled = (fields: IDataObject) =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null && value !== undefined));

function leadPath(execute: IExecuteFunctions, itemIndex: number): string {
	const id = String(execute.getNodeParameter('leadId', itemIndex) ?? '').trim();
	if (!id) throw new NodeOperationError(execute.getNode(), 'The lead ID is empty.', { itemIndex });
	return `/api/v1/leads/${encodeURIComponent(id)}`;
}

async function updateLead(execute: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const path = leadPath(execute, itemIndex);
	const { status, message, clearMessage, visit } = execute.getNodeParameter('updateFields', itemIndex) as IDataObject;
	const body: IDataObject = filled({ status, message });
	if (clearMessage) body.message = '';
	if (visit) body.inspection = { state: visit };
	if (!Object.keys(body).length) {
		throw new NodeOperationError(execute.getNode(), 'There is nothing to change: add a field and give it a value.', { itemIndex });
	}
	return await request(execute, 'PATCH', path, { body, itemIndex });
}

/** In the lead's timeline, where homeowners never see it. */
async function addNote(execute: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const path = leadPath(execute, itemIndex);
	const note = String(execute.getNodeParameter('note', itemIndex) ?? '').trim();
	if (!note) throw new NodeOperationError(execute.getNode(), 'The note is empty.', { itemIndex });
	const length = [...note].length;
	if (length > LONGEST_NOTE) {
		const sentence = `The note has ${length} characters; there is room for ${LONGEST_NOTE}.`;
		throw new NodeOperationError(execute.getNode(), sentence, { itemIndex });
	}
	return await request(execute, 'POST', `${path}/notes`, { body: { text: note }, itemIndex });
}

async function listLeads(execute: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const all = execute.getNodeParameter('returnAll', itemIndex) as boolean;
	const most = all ? Infinity : (execute.getNodeParameter('limit', itemIndex) as number);
	const qs = filled(execute.getNodeParameter('filters', itemIndex, {}) as IDataObject);
	const leads: IDataObject[] = [];
	let cursor: unknown;
	do {
		const page: IDataObject = { ...qs, limit: Math.min(PAGE, most - leads.length) };
		if (cursor) page.cursor = cursor as string;
		const { data, nextCursor } = await request(execute, 'GET', '/api/v1/leads', { qs: page, itemIndex });
		leads.push(...(data as IDataObject[]));
		cursor = nextCursor;
	} while (cursor && leads.length < most);
	return leads;
}

async function lookUp(execute: IExecuteFunctions, itemIndex: number, operation: string): Promise<IDataObject> {
	const address = String(execute.getNodeParameter('address', itemIndex) ?? '').trim();
	if (!address) throw new NodeOperationError(execute.getNode(), 'The address is empty.', { itemIndex });
	const qs: IDataObject = { address };
	if (operation === 'estimateRoof') {
		Object.assign(qs, filled(execute.getNodeParameter('additionalFields', itemIndex, {}) as IDataObject));
		if (qs.installedPrice === 0) delete qs.installedPrice;
	}
	return await request(execute, 'GET', `/api/v1/${LOOK_UPS[operation]}`, { qs, itemIndex });
}

async function run(execute: IExecuteFunctions, itemIndex: number): Promise<IDataObject | IDataObject[]> {
	const operation = execute.getNodeParameter('operation', itemIndex);
	if (execute.getNodeParameter('resource', itemIndex) === 'address') return await lookUp(execute, itemIndex, operation);
	if (operation === 'getMany') return await listLeads(execute, itemIndex);
	if (operation === 'update') return await updateLead(execute, itemIndex);
	if (operation === 'addNote') return await addNote(execute, itemIndex);
	return await request(execute, 'GET', leadPath(execute, itemIndex), { itemIndex });
}

export class Shingle implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Shingle',
		name: 'shingle',
		icon: { light: 'file:shingle.svg', dark: 'file:shingle.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Reads and changes roof leads, and looks up roofs by address',
		defaults: { name: 'Shingle' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'shingleApi', required: true }],
		usableAsTool: true,
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Address', value: 'address' },
					{ name: 'Lead', value: 'lead' },
				],
				default: 'lead',
			},
			...leadFields,
			...addressFields,
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const out: INodeExecutionData[] = [];
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
			const pairedItem = { item: itemIndex };
			try {
				const found = await run(this, itemIndex);
				for (const json of Array.isArray(found) ? found : [found]) out.push({ json, pairedItem });
			} catch (error) {
				if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), error as Error, { itemIndex });
				out.push({ json: { error: (error as Error).message }, pairedItem });
			}
		}
		return [out];
	}
}
