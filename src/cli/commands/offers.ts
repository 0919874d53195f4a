/** `esignctl offers …`: prices for requests (rules 1, 10). */
import type { OfferAnswer, OfferRow } from '../../core/offers/offers.js';
import { OFFERS } from '../../core/resources/offers.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { asText, param, REQUEST } from '../verb/params.js';
import { group, verb } from '../verb/verb.js';

const list = listCommand('offers list', OFFERS, {
  about: 'offers, the oldest first',
  examples: ['--request REQ-2026-000123', '--status sent --json', '--since 30d --csv > offers.csv'],
});

const create = verb('offers create', {
  about:
    'note an offer that was made to the customer; it sets the price unless the request has one of its own',
  args: { request: REQUEST, money: param('the price, such as 180.00', asText) },
  options: { description: param('what it is for', String, { word: 'text' }) },
  changes: true,
  examples: ['123 180.00', 'REQ-2026-000123 180.00 --description "A new pump" --reason "by phone" --dry-run'],
  async act(shell, { request: key, money, description }) {
    const { enterOffer } = await import('../../core/offers/offers.js');
    const { findRequest, sayStanding } = await import('../run/request.js');
    const { ctx, by } = shell;
    const { id: requestId } = await findRequest(shell, ctx, key);
    sayStanding(shell, ctx, requestId);
    const row = await enterOffer(ctx, { requestId, amount: money, description }, by);
    await told(shell, row, { did: 'created', would: 'would create' });
  },
});

const answer = (name: string, status: OfferAnswer, about: string) =>
  verb(`offers ${name}`, {
    about,
    args: { offer: param('number or reference of the offer', asText) },
    changes: true,
    examples: ['12', 'OFF-2026-000012 --reason "answered by phone" --dry-run'],
    async act(shell, { offer }) {
      const { answerOffer, offerCalled } = await import('../../core/offers/offers.js');
      const { ctx, by } = shell;
      const row = await answerOffer(ctx, offerCalled(ctx, offer).id, status, by);
      await told(shell, row, { did: status, would: `would ${name}` });
    },
  });

async function told(
  { out, ctx, dryRun }: Shell & { ctx: { config: { timeZone: string } } },
  row: OfferRow,
  { did, would }: Record<'did' | 'would', string>,
): Promise<void> {
  const { documentOf } = await import('../../core/resources/show.js');
  const { formatMoney } = await import('../../core/texts/format.js');
  const { reference, amount, currency, requestId } = row;
  const isNew = dryRun && did === 'created';
  out.result(documentOf(OFFERS, row, { locale: 'en', timeZone: ctx.config.timeZone }), () =>
    out.line(
      `${dryRun ? would : did} ${isNew ? 'an offer' : `offer ${reference}`} for request ${requestId}: ${formatMoney('en', amount, currency)}`,
    ),
  );
}

export const offers = group(
  'offers',
  {
    about: 'prices for requests: list, create, accept, refuse',
    examples: ['list --status sent', 'create 123 180.00'],
  },
  [
    list,
    create,
    answer('accept', 'accepted', 'note that the customer accepted an offer'),
    answer('refuse', 'refused', 'note that the customer refused an offer, which then sets no price'),
  ],
);
