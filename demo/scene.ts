/** Sets the scene: two people, a boiler, and a request whose contract has been sent to the customer. */
import { logIn, type ApiClient, type ContractView, type RequestView } from './api.js';
import type { Services } from './services.js';
import { ADMINISTRATOR, CUSTOMER, secret, type Login } from './settings.js';
import type { Steps } from './steps.js';

export interface Scene {
  administrator: Login;
  customer: Login;
  asCustomer: ApiClient;
  request: RequestView;
  contract: ContractView;
}

export async function setTheScene(services: Services, steps: Steps): Promise<Scene> {
  const administrator = { ...ADMINISTRATOR, password: secret() };
  const customer = { ...CUSTOMER, password: secret() };
  await steps.take(
    'creating the users',
    () => Promise.all([createUser(services, administrator, 'admin'), createUser(services, customer, 'user')]),
    () => `users ${administrator.email} (administrator) and ${customer.email} (customer) created`,
  );
  const asCustomer = await logIn(services, customer);
  const request = await steps.take(
    'creating the request',
    () => createRequest(asCustomer),
    ({ reference, status }) => `request ${reference} created by the customer: ${status}`,
  );
  const { contract, status } = await steps.take(
    'starting the signature',
    async () => {
      const asAdministrator = await logIn(services, administrator);
      const contract = await asAdministrator.startSignature(request.id);
      return { contract, status: (await asAdministrator.request(request.id)).status };
    },
    ({ contract, status }) => `contract ${contract.id} sent to the customer for signature: ${status}`,
  );
  expectStatus(status, 'WAITING_SIGNATURE');
  return { administrator, customer, asCustomer, request, contract };
}

export function expectStatus(status: string, expected: string): void {
  if (status !== expected) throw new Error(`the status is ${status} instead of ${expected}`);
}

async function createUser(services: Services, user: Login, role: 'admin' | 'user'): Promise<void> {
  const names = ['--first-name', user.firstName, '--last-name', user.lastName];
  await services.esignctl(
    ['users', 'create', user.email, '--role', role, ...names, '--password-stdin'],
    user.password,
  );
}

async function createRequest(asCustomer: ApiClient): Promise<RequestView> {
  const equipment = await asCustomer.addEquipment({
    name: 'Boiler',
    model: 'Thermo 24',
    serialNumber: 'TH24-000417',
  });
  return asCustomer.addRequest({
    title: 'Yearly maintenance of the boiler',
    description: 'Clean the burner, check the valves and measure the exhaust gas.',
    equipment,
  });
}
