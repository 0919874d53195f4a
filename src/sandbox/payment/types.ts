/** What the payment side remembers of one Checkout Session. Times are Unix seconds, as on its wire. */
export type PaymentSession = {
  id: string;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'unpaid' | 'paid';
  amountTotal: number;
  currency: string;
  description: string;
  created: number;
  expiresAt: number;
  successUrl: string | null;
  cancelUrl: string | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  paymentIntent: string | null;
  idempotencyKey: string | null;
};
