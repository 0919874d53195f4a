/** Where a request stands, what the office has to do, and what to reply to the customer. */
import { catalogue, plural } from './catalogue.js';

export const explain = catalogue({
  'run.digest': { en: 'daily summary e-mail', fr: 'récapitulatif quotidien par e-mail' },
  'run.snapshot': { en: 'data snapshot', fr: 'instantané des données' },
  'run.offsite': { en: 'off-site copy', fr: 'copie hors site' },
  'run.mail': { en: 'sending of e-mails', fr: 'envoi des e-mails' },
  'run.backup': { en: 'scheduled backup', fr: 'sauvegarde planifiée' },
  'run.expire': { en: 'daily expiry', fr: 'expiration quotidienne' },
  'run.housekeeping': { en: 'nightly housekeeping', fr: 'maintenance nocturne' },
  'run.reconcile': { en: 'bulk check', fr: 'vérification groupée' },
  'run.trails': { en: 'collection of audit trails', fr: 'collecte des dossiers de preuve' },
  'run.payments': { en: 'payment check', fr: 'vérification des paiements' },
  'run.reminders': { en: 'sending of reminders', fr: 'envoi des relances' },
  'explain.title': { en: '%reference% (request %id%): %title%', fr: '%reference% (demande %id%) : %title%' },
  'explain.contract': { en: 'contract', fr: 'contrat' },
  'explain.no_contract': { en: 'no contract', fr: 'pas de contrat' },
  'explain.other': {
    en: 'also of this customer: %reference%, %status%',
    fr: 'aussi de ce client : %reference%, %status%',
  },
  'explain.time': { en: 'TIME', fr: 'QUAND' },
  'explain.who': { en: 'WHO', fr: 'QUI' },
  'explain.what': { en: 'WHAT', fr: 'QUOI' },
  'explain.noted': { en: '%message%: %note%', fr: '%message% : %note%' },
  'explain.earlier': { en: 'Earlier entries:', fr: 'Entrées plus anciennes :' },
  'explain.verdict': { en: 'Verdict:', fr: 'Verdict :' },
  'explain.also': { en: 'Also:', fr: 'Autres constats :' },
  'explain.next': { en: 'Next:', fr: 'Ensuite :' },
  'explain.nothing': { en: 'no action needed', fr: 'aucune action requise' },
  'reply.preparing': {
    en: 'We have received your request “%title%” (%reference%). We are preparing the contract for it. You will get it by e-mail, with a link to sign it.',
    fr: 'Nous avons bien reçu votre demande « %title% » (%reference%). Nous préparons le contrat correspondant. Vous le recevrez par e-mail, avec un lien pour le signer.',
  },
  'reply.sign': {
    en: 'The contract for your request “%title%” (%reference%) is waiting for your signature. You can sign it until %date% with the link that you received by e-mail. If you cannot find the link, even in your spam folder, tell us and we will send it again.',
    fr: 'Le contrat de votre demande « %title% » (%reference%) attend votre signature. Vous pouvez le signer jusqu’au %date% avec le lien reçu par e-mail. Si vous ne retrouvez pas ce lien, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  },
  'reply.sign_newest': {
    en: 'The contract for your request “%title%” (%reference%) has been replaced by a new one, so earlier links no longer work. You can sign it until %date% with the link in the newest e-mail. If you cannot find that e-mail, even in your spam folder, tell us and we will send it again.',
    fr: 'Le contrat de votre demande « %title% » (%reference%) a été remplacé par un nouveau : les liens précédents ne fonctionnent plus. Vous pouvez le signer jusqu’au %date% avec le lien de l’e-mail le plus récent. Si vous ne retrouvez pas cet e-mail, même dans les courriers indésirables, dites-le-nous et nous vous le renverrons.',
  },
  'reply.declined': {
    en: 'You declined the contract for your request “%title%” (%reference%). You owe nothing, and we will take no further steps. If you did not mean to decline, tell us and we will send you a new contract.',
    fr: 'Vous avez refusé le contrat de votre demande « %title% » (%reference%). Vous ne devez rien, et nous n’engagerons aucune autre démarche. Si vous ne vouliez pas le refuser, dites-le-nous et nous vous enverrons un nouveau contrat.',
  },
  'reply.sign_over': {
    en: 'The deadline for signing the contract for your request “%title%” (%reference%) has passed. It was %date%, so the link no longer works. If you still want the work, tell us and we will send you a new contract.',
    fr: 'Le délai pour signer le contrat de votre demande « %title% » (%reference%) est écoulé. Il a pris fin le %date%, et le lien ne fonctionne plus. Si vous souhaitez toujours cette intervention, dites-le-nous et nous vous enverrons un nouveau contrat.',
  },
  'reply.new_contract': {
    en: 'The contract for your request “%title%” (%reference%) can no longer be signed. We are taking care of it. You will get a new one by e-mail, with a new link to sign it.',
    fr: 'Le contrat de votre demande « %title% » (%reference%) ne peut plus être signé. Nous nous en occupons. Vous en recevrez un nouveau par e-mail, avec un nouveau lien pour le signer.',
  },
  'reply.late': {
    en: 'We have received your signature for your request “%title%” (%reference%). It arrived after the last day to sign, %date%, so we need to review it. You do not have to do anything; we will get back to you.',
    fr: 'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%). Elle est arrivée après la date limite du %date%, et nous devons donc l’examiner. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  },
  'reply.checking': {
    en: 'We are looking into your request “%title%” (%reference%). At the moment, we cannot say for certain where it stands. You do not have to do anything; we will get back to you.',
    fr: 'Nous examinons votre demande « %title% » (%reference%). Pour le moment, nous ne pouvons pas dire avec certitude où elle en est. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  },
  'reply.signed': {
    en: 'We have received your signature for your request “%title%” (%reference%), thank you. We are finishing our part now. You will get the signed contract and the payment link by e-mail.',
    fr: 'Nous avons bien reçu votre signature pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous recevrez par e-mail le contrat signé et le lien de paiement.',
  },
  'reply.replaced': {
    en: 'You have signed an earlier version of the contract for your request “%title%” (%reference%). It has been replaced, so that signature does not count. Please sign the new contract with the newest link that you received by e-mail.',
    fr: 'Vous avez signé une ancienne version du contrat de votre demande « %title% » (%reference%). Elle a été remplacée, et cette signature ne compte donc pas. Merci de signer le nouveau contrat avec le lien le plus récent reçu par e-mail.',
  },
  'reply.pay': {
    en: 'Your contract for the request “%title%” (%reference%) is signed, thank you. The payment of %amount% is still outstanding. You can pay here at any time: %link%',
    fr: 'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Il reste à régler %amount%. Vous pouvez payer à tout moment ici : %link%',
  },
  'reply.pay_soon': {
    en: 'Your contract for the request “%title%” (%reference%) is signed, thank you. We are preparing the payment of %amount%. You will get the payment link by e-mail.',
    fr: 'Votre contrat pour la demande « %title% » (%reference%) est signé, merci. Nous préparons le paiement de %amount%. Vous recevrez le lien de paiement par e-mail.',
  },
  'reply.pay_pending': {
    en: 'Your payment of %amount% for the request “%title%” (%reference%) is on its way, thank you. With this payment method, it takes a few days to arrive. You do not have to do anything; please do not pay a second time.',
    fr: 'Votre paiement de %amount% pour la demande « %title% » (%reference%) est en route, merci. Avec ce moyen de paiement, il met quelques jours à arriver. Vous n’avez rien à faire ; merci de ne pas payer une seconde fois.',
  },
  'reply.pay_failed': {
    en: 'Your payment of %amount% for the request “%title%” (%reference%) did not go through. Your bank declined it. You can try again here: %link%',
    fr: 'Votre paiement de %amount% pour la demande « %title% » (%reference%) n’a pas abouti. Votre banque l’a refusé. Vous pouvez réessayer ici : %link%',
  },
  'reply.pay_check': {
    en: 'We have received a payment for your request “%title%” (%reference%). It does not match what we expected, so we need to review it. Please do not pay again; we will get back to you.',
    fr: 'Nous avons reçu un paiement pour votre demande « %title% » (%reference%). Il ne correspond pas à ce que nous attendions, et nous devons donc l’examiner. Merci de ne pas payer à nouveau ; nous reviendrons vers vous.',
  },
  'reply.paid': {
    en: 'We have received your payment for the request “%title%” (%reference%), thank you. We are finishing our part now. You do not have to do anything more.',
    fr: 'Nous avons bien reçu votre paiement pour la demande « %title% » (%reference%), merci. Nous terminons ce qui reste à faire de notre côté. Vous n’avez plus rien à faire.',
  },
  'reply.complete': {
    en: 'Your contract for the request “%title%” (%reference%) is signed and paid, thank you. Everything is complete. You do not have to do anything more.',
    fr: 'Votre contrat pour la demande « %title% » (%reference%) est signé et payé, merci. Tout est terminé. Vous n’avez plus rien à faire.',
  },
  'reply.canceled': {
    en: 'Your request “%title%” (%reference%) has been canceled. There is nothing left to sign or to pay. If you still want the work, tell us.',
    fr: 'Votre demande « %title% » (%reference%) a été annulée. Il n’y a plus rien à signer ni à payer. Si vous souhaitez toujours cette intervention, dites-le-nous.',
  },
  'reply.after_cancel': {
    en: 'Your request “%title%” (%reference%) had been canceled before your signature or payment reached us. We are looking into it. You do not have to do anything; we will get back to you.',
    fr: 'Votre demande « %title% » (%reference%) avait été annulée avant que votre signature ou votre paiement nous parvienne. Nous nous en occupons. Vous n’avez rien à faire ; nous reviendrons vers vous.',
  },
  'todo.requests': {
    en: plural('%count% request', '%count% requests'),
    fr: plural('%count% demande', '%count% demandes'),
  },
  'todo.more': {
    en: plural('%names% and %count% more', '%names% and %count% more'),
    fr: plural('%names% et %count% autre', '%names% et %count% autres'),
  },
  'todo.webhook_disabled': {
    en: 'Webhook %webhook% is switched off because its receiver kept failing (%error%). %url%',
    fr: 'Le webhook %webhook% est désactivé : son destinataire échouait sans cesse (%error%). %url%',
  },
  'todo.unknown_signature': {
    en: 'The signature provider has a document of this installation that is not recorded here: “%name%” (%sign%). %advice% When that is done, settle the case to end this reminder.',
    fr: 'Le prestataire de signature a un document de cette installation qui n’est pas enregistré ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas pour mettre fin à ce rappel.',
  },
  'todo.unknown_payment': {
    en: 'Payment %payment% (%paid%) came for a contract that is not recorded here. Refund it at the payment provider, or enter the request again and mark it as paid. Then settle the case to end this reminder.',
    fr: 'Le paiement %payment% (%paid%) est arrivé pour un contrat qui n’est pas enregistré ici. Remboursez-le chez le prestataire de paiement, ou saisissez à nouveau la demande et marquez-la comme payée. Réglez ensuite le cas pour mettre fin à ce rappel.',
  },
  'todo.held': {
    en: 'The data was restored from a backup made on %madeAt% and is held: nothing is sent until it has been compared with both providers.',
    fr: 'Les données ont été restaurées depuis la sauvegarde du %madeAt% et sont en attente de reprise : rien n’est envoyé avant leur comparaison avec les deux prestataires.',
  },
  'todo.thin_events': {
    en: 'Payment webhooks are rejected because they do not say what was paid: the endpoint at the payment provider is set up for thin payloads. Switch it to snapshot payloads.',
    fr: 'Les webhooks de paiement sont rejetés, car ils ne disent pas ce qui a été payé : le point de terminaison chez le prestataire de paiement est configuré pour des contenus allégés (« thin »). Passez-le aux contenus complets (« snapshot »).',
  },
  'todo.mail_server': {
    en: 'The mail server refuses all mail from us, so no customer receives any: %error%',
    fr: 'Le serveur de messagerie refuse tous nos messages ; les clients ne reçoivent donc rien : %error%',
  },
  'todo.run_late': {
    en: 'The %run% did not run on time.',
    fr: 'Tâche planifiée non exécutée à l’heure prévue : %run%.',
  },
  'todo.run_failing': {
    en: 'The %run% is failing: %error%',
    fr: 'Échec de la tâche planifiée « %run% » : %error%',
  },
  'explain.fix': {
    en: 'A check brings the request up to date.',
    fr: 'Une vérification met la demande à jour.',
  },
  'explain.fix.soon': {
    en: 'The bulk check will bring the request up to date at %date%; a check does it now.',
    fr: 'La vérification groupée mettra la demande à jour, le %date% ; une vérification le fait tout de suite.',
  },
  'explain.again.start': {
    en: 'start the signature to send a new contract.',
    fr: 'lancez la signature : un nouveau contrat sera envoyé.',
  },
  'explain.again.reset': {
    en: 'send a new contract.',
    fr: 'envoyez un nouveau contrat.',
  },
  'links.sign_new': {
    en: '%customer% will get an e-mail with a signing link.',
    fr: 'Un lien de signature sera envoyé à %customer%.',
  },
  'links.sign_replaced': {
    en: 'The signing link mailed to %customer% on %date% will stop working; a new one will be mailed.',
    fr: 'Le lien de signature envoyé à %customer% le %date% ne fonctionnera plus ; un nouveau sera envoyé.',
  },
  'links.sign_over': {
    en: 'The signing link mailed to %customer% on %date% no longer works; a new one will be mailed.',
    fr: 'Le lien de signature envoyé à %customer% le %date% ne fonctionne plus ; un nouveau sera envoyé.',
  },
  'links.sign_ends': {
    en: 'The signing link mailed to %customer% on %date% will stop working.',
    fr: 'Le lien de signature envoyé à %customer% le %date% ne fonctionnera plus.',
  },
  'links.pay_ends': {
    en: 'The payment link mailed to %customer% on %date% will stop working.',
    fr: 'Le lien de paiement envoyé à %customer% le %date% ne fonctionnera plus.',
  },
  'links.pay_done': {
    en: 'The payment link mailed to %customer% on %date% will only say that everything is paid.',
    fr: 'Le lien de paiement envoyé à %customer% le %date% indiquera seulement que tout est payé.',
  },
  'links.none_revives': {
    en: 'The links mailed to %customer% earlier still do not work; a new one will be mailed when the signature is started.',
    fr: 'Les liens déjà envoyés à %customer% ne fonctionneront toujours pas ; un nouveau sera envoyé au lancement de la signature.',
  },
  'links.corrected': {
    en: 'The signing link mailed to %old% on %date% will be replaced: a new one will be mailed to %address%.',
    fr: 'Le lien de signature envoyé à %old% le %date% sera remplacé : un nouveau sera envoyé à %address%.',
  },
  'todo.address_refused': {
    en: 'The mail server does not accept mail for %username%: %error%. Not sent: %mail%. Correct the address.',
    fr: 'Le serveur de messagerie n’accepte pas de message pour %username% : %error%. Non envoyé : %mail%. Corrigez l’adresse.',
  },
});
