/** Lists that need nothing of their own: what belongs to requests, and the jobs that are open. */
import { CONTRACTS } from '../../../core/resources/contracts.js';
import { JOBS } from '../../../core/resources/jobs.js';
import { OFFERS } from '../../../core/resources/offers.js';
import { PAYMENTS } from '../../../core/resources/payments.js';
import type { Filters, Resource } from '../../../core/resources/resource.js';
import { TROUBLESHOOTINGS } from '../../../core/resources/troubleshootings.js';
import type { Parts } from '../../parts.js';
import type { Section } from '../frame/layout.js';
import { Pages } from '../frame/pages.js';
import { listPage } from './list-page.js';

export const otherLists = [
  plainList(CONTRACTS, 'contracts', 'contracts'),
  plainList(PAYMENTS, 'payments', 'payments'),
  plainList(OFFERS, 'offers'),
  plainList(TROUBLESHOOTINGS, 'troubleshootings'),
  plainList(JOBS, 'jobs', 'jobs'),
];

function plainList<Row, F extends Filters, By extends string>(
  noun: Resource<Row, F, By>,
  name: 'contracts' | 'payments' | 'offers' | 'troubleshootings' | 'jobs',
  section: Section = 'requests',
) {
  return (parts: Parts) =>
    listPage(new Pages(parts, section), noun, {
      path: `/admin/${name}`,
      title: `admin.nav.${name}`,
    });
}
