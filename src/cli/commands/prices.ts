/** `esignctl prices …`: what a contract costs by its equipment (rules 1, 10). */
import { PRICES } from '../../core/resources/prices.js';
import type { PriceRow } from '../../core/rows.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { asText, param } from '../verb/params.js';
import { group, verb } from '../verb/verb.js';

const WORDS = param('words of the equipment’s name and model, in any order', asText);

const list = listCommand('prices list', PRICES, {
  about: 'the price list; a price of the request or an offer comes before it, the general price after it',
  examples: ['', '--csv > prices.csv'],
});

const set = verb('prices set', {
  about: 'set the price of equipment whose name and model contain all the words',
  args: { words: WORDS, money: param('the price, such as 180.00', asText) },
  changes: true,
  examples: ['"gas boiler" 180.00', 'B-200 150 --reason "new tariff" --dry-run'],
  async act(shell, { words, money }) {
    const { setPrice } = await import('../../core/prices/price-list.js');
    const { ctx, by } = shell;
    const row = await setPrice(ctx, { words, amount: money }, by);
    await told(shell, row, 'set', 'set');
  },
});

const remove = verb('prices remove', {
  about: 'take a price off the list',
  args: { words: WORDS },
  changes: true,
  examples: ['"gas boiler"', 'B-200 --dry-run'],
  async act(shell, { words }) {
    const { removePrice } = await import('../../core/prices/price-list.js');
    await told(shell, await removePrice(shell.ctx, words, shell.by), 'remove', 'removed');
  },
});

async function told({ out, dryRun }: Shell, row: PriceRow, does: string, did: string): Promise<void> {
  const { documentOf } = await import('../../core/resources/show.js');
  const { formatMoney } = await import('../../core/texts/format.js');
  const { words, amount, currency } = row;
  out.result(documentOf(PRICES, row, { locale: 'en', timeZone: 'UTC' }), () =>
    out.line(
      `${dryRun ? `would ${does}` : did} the price of ${words}: ${formatMoney('en', amount, currency)}`,
    ),
  );
}

export const prices = group(
  'prices',
  { about: 'the price list: list, set, remove', examples: ['set "gas boiler" 180.00', 'list'] },
  [list, set, remove],
);
