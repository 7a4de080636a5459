import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class ShingleApi implements ICredentialType {
	name = 'shingleApi';

	displayName = 'Shingle API';

	icon: Icon = { light: 'file:shingle.svg', dark: 'file:shingle.dark.svg' };

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/installation/';

	properties: INodeProperties[] = [
		{
			displayName: 'Server',
			name: 'server',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://roofs.example.com',
			description: 'Address of your Shingle server. Any page of its portal does too.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'In the portal under Keys. A sandbox key answers with invented homes.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { token: '={{$credentials.apiKey.trim()}}' } },
	};

	// `usage` answers every key, also one that is limited to one look-up.
	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{$credentials.server.trim().replace(/^(?!https?:\\/\\/)/i, "https://").replace(/^(https?:\\/\\/[^\\/?#]+).*$/i, "$1")}}',
			url: '/api/v1/usage',
		},
	};
}
