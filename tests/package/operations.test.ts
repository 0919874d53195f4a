/** docs/operations.md, followed line by line on a machine that has never heard of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoContainer } from './container.js';
import { namedCommands, readSections, type Step } from './document.js';
import { bootWithPackage, FILL_IN, startProviders, type Installation } from './installation.js';

const WHY_NOT = whyNoContainer();
const SECTIONS = readSections();

let machine: Installation;
/** Of the customer. */
let password = '';

describe.skipIf(WHY_NOT)(`in a booted container${WHY_NOT ? ` (not here: ${WHY_NOT})` : ''}`, () => {
  beforeAll(async () => {
    machine = await bootWithPackage();
    machine.put('/usr/local/bin/editor', `#!/bin/sh\n${FILL_IN}\n`);
    machine.run('chmod +x /usr/local/bin/editor && install -d -m 0777 /backup');
  }, 300_000);
  afterAll(() => machine?.stop());

  test('its first section installs a service that carries a contract from its start to its payment', async () => {
    const [first, ...rest] = stepsOf('Install');
    expect(first?.command).toMatch(/^apt install /);
    follow({ command: `apt-get install --quiet --yes ./${machine.deb}`, lines: '' });
    await startProviders(machine);
    for (const step of rest) follow(step);

    const customer = 'carla@example.org --first-name Carla --last-name Client';
    const made = machine.run(`sudo -u esign esignctl users create ${customer} --generate --json`);
    ({ password } = JSON.parse(made) as { password: string });
    machine.put('/root/story.sh', LOG_IN + STORY);
    machine.run(`sh -eu /root/story.sh '${password}'`);
    await machine.until(
      '[ "$(sudo -u esign esignctl requests show 1 --json | jq -r .status)" = WAITING_PAYMENT ]',
    );
    machine.run(PAY);
    await machine.until('[ "$(sudo -u esign esignctl requests show 1 --json | jq -r .status)" = COMPLETE ]');
  });

  test.each(SECTIONS.map(({ title }) => title).filter((title) => title !== 'Install'))(
    'each line of "%s" does what it says',
    async (title) => {
      await PREPARED[title]?.();
      for (const step of stepsOf(title)) follow(step);
      await machine.until('curl --silent --fail http://127.0.0.1:8080/readyz');
    },
  );

  test('each command that its sentences name exists', () => {
    const named = namedCommands();
    expect(named.length).toBeGreaterThan(10);
    for (const words of named) machine.run(`esignctl ${words} --help`);
  });
});

/** What somebody types who sits at the machine, where a test cannot. */
const TYPED: readonly [RegExp, (step: Step) => string][] = [
  [/ users create /, ({ command }) => `${command} --generate`],
  [/ users erase .* --reason /, ({ command }) => `sudo -u esign ${command} --yes`],
  [/ (restore|takeover)\b/, ({ command }) => `${command} --yes`],
  [/\/dev\/stdin /, ({ command }) => `printf sandbox-api-key | ${command}`],
  [
    /^systemctl edit /,
    ({ command, lines }) =>
      command
        .replace('systemctl edit ', '')
        .split(' ')
        .map((unit) => `systemctl edit --stdin ${unit} <<'LINES'\n${lines}LINES\n`)
        .join(''),
  ],
  [/^esignctl /, ({ command }) => `sudo -u esign ${command}`],
];

function follow(step: Step): void {
  const [, typed] = TYPED.find(([pattern]) => pattern.test(step.command)) ?? [];
  const command = typed ? typed(step) : step.command;
  machine.run(
    command.replaceAll(
      'REQ-2026-000123',
      '$(sudo -u esign esignctl requests show 1 --json | jq -r .reference)',
    ),
  );
}

function stepsOf(title: string): Step[] {
  const steps = SECTIONS.find((section) => section.title === title)?.steps;
  if (!steps) throw new Error(`docs/operations.md has no section ${title}`);
  return steps;
}

/** The package brings a Node of its own. */
const NODE = '$(command -v node || dpkg --listfiles esign | grep "/bin/node$")';
const RECEIVER =
  'require("http").createServer((q, s) => q.resume().on("end", () => s.writeHead(204).end())).listen(9999, "127.0.0.1")';

const LOG_IN = `
  api=http://127.0.0.1:8080/api
  json='Content-Type: application/json'
  token=$(curl --silent --fail --header "$json" $api/login_check \\
    --data "{\\"username\\":\\"carla@example.org\\",\\"password\\":\\"$1\\"}" | jq -r .token)`;

/** Three webhooks, and as many deliveries that the document's numbers are there. */
const SUBSCRIBE = `
  for event in request.created offer.created request.updated; do
    curl --silent --fail --header "$json" --header "Authorization: Bearer $token" $api/webhooks \\
      --data "{\\"url\\":\\"http://127.0.0.1:9999/\\",\\"event\\":\\"$event\\",\\"secret\\":\\"a secret of ours\\"}"
  done
  for ping in $(seq 13); do sudo -u esign esignctl webhooks ping 3; done`;

/** A customer files a request, the office starts its contract, the customer signs. */
const STORY = `
  equipment=$(curl --silent --fail --header "$json" --header "Authorization: Bearer $token" $api/equipments \\
    --data '{"name":"Boiler","model":"B 12","serialNumber":"SN-1"}' | jq -r '.["@id"]')
  curl --silent --fail --header "$json" --header "Authorization: Bearer $token" $api/requests \\
    --data "{\\"title\\":\\"Yearly service\\",\\"description\\":\\"As every year.\\",\\"equipment\\":\\"$equipment\\"}"
  sudo -u esign esignctl start-signature 1 --yes
  signId=$(sudo -u esign esignctl contracts show 1 --json | jq -r .signId)
  curl --silent --fail --request POST http://127.0.0.1:8090/_sandbox/signature_requests/$signId/sign --header "$json" --data '{}'`;

const PAY = `
  until id=$(sudo -u esign esignctl requests show 1 --json | jq -er .paymentId); do sleep 0.2; done
  curl --silent --fail --request POST http://127.0.0.1:8090/_sandbox/sessions/$id/pay --header 'Content-Type: application/json' --data '{}'`;

/** What has happened on the machine when somebody needs that section. */
const PREPARED: Record<string, () => void | Promise<void>> = {
  'Outbound webhooks': async () => {
    machine.set('ESIGN_WEBHOOK_ALLOW_PRIVATE', '127.0.0.1');
    machine.set('ESIGN_WEBHOOK_PORTS', '9999');
    machine.run(`systemctl restart esignd && systemd-run --quiet --unit=receiver ${NODE} -e '${RECEIVER}'`);
    await machine.until('curl --silent --fail --data x http://127.0.0.1:9999/');
    machine.put('/root/subscribe.sh', LOG_IN + SUBSCRIBE);
    machine.run(`sh -eu /root/subscribe.sh '${password}'`);
    await machine.until(
      '[ "$(sudo -u esign esignctl webhooks deliveries 3 --json | jq length)" -ge 13 ] && [ "$(sudo -u esign esignctl status --json | jq .jobs.available)" = 0 ]',
    );
  },
  'Personal data': () => {
    machine.run('sudo -u esign esignctl users create bob@example.org --role admin --generate');
    const { code, said } = machine.attempt(
      'cd /root && sudo -u esign esignctl users export anna@example.org --out a.zip',
    );
    expect(code).toBe(2);
    expect(said).toContain('You may not write in /root.');
  },
  Backup: () => void machine.run('sudo -u esign esignctl backup /backup/esign.tar'),
};
