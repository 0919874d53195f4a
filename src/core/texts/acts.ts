/** The acts on a request: the label of each, what is asked before it, what is said after it. */
import { catalogue } from './catalogue.js';

export const acts = catalogue({
  'act.start-signature': { en: 'Start signature', fr: 'Lancer la signature' },
  'act.start-signature.ask': {
    en: 'Create the contract for %reference% (%title%) and send it to the customer for signature?',
    fr: 'Établir le contrat de %reference% (%title%) et l’envoyer au client pour signature ?',
  },
  'act.start-signature.done': {
    en: 'The contract was sent to the customer for signature.',
    fr: 'Le contrat a été envoyé au client pour signature.',
  },

  'act.check-signature.ask': {
    en: 'Ask the signature provider about %reference% (%title%) and update the request?',
    fr: 'Interroger le prestataire de signature sur %reference% (%title%) et mettre la demande à jour ?',
  },

  'act.accept-late': { en: 'Accept the late signature', fr: 'Accepter la signature tardive' },
  'act.accept-late.ask': {
    en: 'The contract of %reference% (%title%) was signed on %signed%; the deadline was %last%. Accept the signature anyway? The customer will get the signed contract and a payment link.',
    fr: 'Le contrat de %reference% (%title%) a été signé le %signed% ; la date limite était le %last%. Accepter tout de même la signature ? Le client recevra le contrat signé et un lien de paiement.',
  },
  'act.accept-late.second': {
    en: 'The customer has signed a second document for %reference% (%title%). Accept this signature? The other document will be canceled, and the customer will get the signed contract and a payment link.',
    fr: 'Le client a signé un second document pour %reference% (%title%). Accepter cette signature ? L’autre document sera annulé ; le client recevra le contrat signé et un lien de paiement.',
  },
  'act.accept-late.done': {
    en: 'The late signature was accepted. The request now waits for the payment.',
    fr: 'La signature tardive est acceptée. La demande attend maintenant le paiement.',
  },

  'act.reset-signature': { en: 'Reset signature', fr: 'Réinitialiser la signature' },
  'act.reset-signature.ask': {
    en: 'Withdraw the contract of %reference% (%title%) and send the customer a new one?',
    fr: 'Retirer le contrat de %reference% (%title%) et en envoyer un nouveau au client ?',
  },
  'act.reset-signature.done': {
    en: 'The old contract was withdrawn, and a new one was sent to the customer.',
    fr: 'L’ancien contrat a été retiré et un nouveau envoyé au client.',
  },

  'act.check-payment': { en: 'Check payment', fr: 'Vérifier le paiement' },
  'act.check-payment.ask': {
    en: 'Ask the payment provider about %reference% (%title%) and update the request?',
    fr: 'Interroger le prestataire de paiement sur %reference% (%title%) et mettre la demande à jour ?',
  },

  'act.renew-payment': { en: 'Renew payment link', fr: 'Renouveler le lien de paiement' },
  'act.renew-payment.ask': {
    en: 'Create a new payment link for %reference% (%title%) and send it to the customer?',
    fr: 'Créer un nouveau lien de paiement pour %reference% (%title%) et l’envoyer au client ?',
  },
  'act.renew-payment.settling': {
    en: 'A payment for %reference% (%title%) does not count: %payments%. Have you refunded it? Then give the reason: this settles the case, and the customer gets a new payment link.',
    fr: 'Un paiement de la demande %reference% (%title%) ne compte pas : %payments%. L’avez-vous remboursé ? Donnez alors le motif : le cas est réglé, et le client reçoit un nouveau lien de paiement.',
  },
  'act.renew-payment.done': {
    en: 'The customer will get an e-mail with the new payment link.',
    fr: 'Le client recevra un e-mail avec le nouveau lien de paiement.',
  },

  'act.give-up-payment': { en: 'Stop waiting for the money', fr: 'Ne plus attendre l’argent' },
  'act.give-up-payment.ask': {
    en: 'The money for %reference% (%title%) is on its way. Stop waiting for it? The customer can then pay again; if it arrives after all, you may have to refund one of the two payments.',
    fr: 'L’argent attendu pour %reference% (%title%) est en route. Ne plus l’attendre ? Le client pourra alors payer à nouveau ; si cet argent arrive tout de même, il faudra peut-être rembourser l’un des deux paiements.',
  },
  'act.give-up-payment.done': {
    en: 'Nobody is waiting for the money any longer. The customer can pay again.',
    fr: 'L’argent n’est plus attendu. Le client peut payer à nouveau.',
  },

  'act.complete': { en: 'Complete by hand', fr: 'Terminer à la main' },
  'act.complete.ask': {
    en: 'Complete %reference% (%title%) although no payment was reported? This cannot be undone.',
    fr: 'Terminer %reference% (%title%) bien qu’aucun paiement n’ait été signalé ? C’est irréversible.',
  },
  'act.complete.accepting': {
    en: 'Complete %reference% (%title%)? This accepts the payment %paid% and cannot be undone.',
    fr: 'Terminer %reference% (%title%) ? Le paiement %paid% est alors accepté, et c’est irréversible.',
  },
  'act.complete.done': { en: 'The request is complete.', fr: 'La demande est terminée.' },

  'act.remind': { en: 'Remind the customer', fr: 'Relancer le client' },
  'act.remind.ask': {
    en: 'Remind %customer% about %reference% (%title%)? For a signature, the provider sends its reminder; for a payment, the e-mail with the link is sent again.',
    fr: 'Relancer %customer% au sujet de %reference% (%title%) ? Pour une signature, le prestataire envoie son rappel ; pour un paiement, l’e-mail avec le lien est renvoyé.',
  },
  'act.remind.done': {
    en: 'The customer will get a reminder by e-mail.',
    fr: 'Le client va recevoir un rappel par e-mail.',
  },

  'act.cancel': { en: 'Cancel request', fr: 'Annuler la demande' },
  'act.cancel.ask': {
    en: 'Cancel %reference% (%title%) of %customer%? Its contract is withdrawn at the signature provider. It can be reopened later; then a new contract is sent.',
    fr: 'Annuler %reference% (%title%) de %customer% ? Son contrat est retiré chez le prestataire de signature. Elle pourra être rouverte ; un nouveau contrat sera alors envoyé.',
  },
  'act.cancel.done': { en: 'The request is canceled.', fr: 'La demande est annulée.' },

  'act.reopen': { en: 'Reopen request', fr: 'Rouvrir la demande' },
  'act.reopen.ask': {
    en: 'Reopen %reference% (%title%) of %customer%? It is new again; the old contract stays expired.',
    fr: 'Rouvrir %reference% (%title%) de %customer% ? Elle redevient nouvelle ; l’ancien contrat reste expiré.',
  },
  'act.reopen.done': {
    en: 'The request is new again. Start the signature to send a new contract.',
    fr: 'La demande est de nouveau à l’état « Nouvelle ». Lancez la signature pour envoyer un nouveau contrat.',
  },

  'act.settle': { en: 'Settle the case', fr: 'Régler le cas' },
  'act.settle.ask': {
    en: 'A signature or payment for %reference% (%title%) does not count. Has it been dealt with, for example by a refund? The reason is kept in the history; the status of the request does not change.',
    fr: 'Une signature ou un paiement de la demande %reference% (%title%) ne compte pas. Le cas a-t-il été traité, par exemple par un remboursement ? Le motif est conservé dans l’historique ; l’état de la demande ne change pas.',
  },
  'act.settle.done': { en: 'The case is settled.', fr: 'Le cas est réglé.' },

  'act.notify': { en: 'Notify the customer by e-mail', fr: 'Prévenir le client par e-mail' },
});
