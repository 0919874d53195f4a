/** Jobs beside the requests they are about, and whose these are. */
import type { Db } from '../../db/db.js';
import { listRequestsByIds } from '../../db/requests/requests.js';
import type { JobRow } from '../../db/schema.js';
import { listUsersByIds } from '../../db/users/users.js';
import { nameOrAddress } from '../users/names.js';

/** The nulls come together: the job is about no request, or about one that was deleted. */
export interface JobView {
  job: JobRow;
  reference: string | null;
  customer: string | null;
  /** The customer's first and last name; the log-in name when there is none. */
  name: string | null;
}

export function jobViews(db: Db, jobs: readonly JobRow[]): JobView[] {
  const requestIds = jobs.flatMap(({ requestId }) => requestId ?? []);
  const rows = listRequestsByIds(db, { ids: [...new Set(requestIds)] });
  const owners = listUsersByIds(db, { ids: [...new Set(rows.map(({ ownerId }) => ownerId))] });
  const requests = new Map(rows.map((request) => [request.id, request]));
  const customers = new Map(owners.map((owner) => [owner.id, owner]));
  return jobs.map((job) => {
    const request = requests.get(job.requestId ?? 0);
    const customer = customers.get(request?.ownerId ?? 0);
    if (!request || !customer) return { job, reference: null, customer: null, name: null };
    const name = nameOrAddress(customer);
    return { job, reference: request.reference, customer: customer.username, name };
  });
}
