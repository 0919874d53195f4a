/** Words of the contract and of the evidence. */
import { catalogue } from './catalogue.js';

export const documents = catalogue({
  'pdf.title': { en: 'Maintenance contract', fr: 'Contrat de maintenance' },
  'pdf.made': { en: 'Made on', fr: 'Établi le' },
  'pdf.provider': { en: 'The Provider', fr: 'Le Prestataire' },
  'pdf.provider.role': { en: 'carries out the maintenance', fr: 'réalise la maintenance' },
  'pdf.customer': { en: 'The Customer', fr: 'Le Client' },
  'pdf.email': { en: 'E-mail: %value%', fr: 'E-mail : %value%' },
  'pdf.phone': { en: 'Phone: %value%', fr: 'Téléphone : %value%' },

  'pdf.equipment': { en: 'The equipment', fr: 'L’équipement' },
  'pdf.equipment.name': { en: 'Name', fr: 'Désignation' },
  'pdf.equipment.model': { en: 'Model', fr: 'Modèle' },
  'pdf.equipment.serial': { en: 'Serial number', fr: 'Numéro de série' },

  'pdf.subject': { en: '1. Subject', fr: '1. Objet' },
  'pdf.subject.text': {
    en: 'The Provider undertakes to carry out for the Customer, on the equipment named above, the maintenance work described here.',
    fr: 'Le Prestataire s’engage à réaliser pour le Client, sur l’équipement désigné ci-dessus, les travaux de maintenance décrits ici.',
  },

  'pdf.obligations': { en: '2. Obligations', fr: '2. Obligations' },
  'pdf.obligations.provider': {
    en: 'The Provider carries out the work with professional care, using qualified staff and suitable parts, and tells the Customer without delay of anything that stands in its way.',
    fr: 'Le Prestataire exécute les travaux dans les règles de l’art, avec du personnel qualifié et des pièces adaptées, et informe sans délai le Client de tout ce qui y ferait obstacle.',
  },
  'pdf.obligations.customer': {
    en: 'The Customer gives the Provider access to the equipment at the agreed times, tells the Provider what is known about its condition, and operates it as its manufacturer prescribes.',
    fr: 'Le Client donne au Prestataire accès à l’équipement aux moments convenus, lui communique ce qu’il sait de son état et l’utilise conformément aux prescriptions du fabricant.',
  },

  'pdf.price': { en: '3. Price and payment', fr: '3. Prix et paiement' },
  'pdf.price.label': { en: 'Total price', fr: 'Prix total' },
  'pdf.price.vat': {
    en: 'The total price includes value added tax at %vat%. Excluding tax, it is %net%.',
    fr: 'Le prix total comprend la TVA au taux de %vat%. Hors taxes, il est de %net%.',
  },
  'pdf.price.scope': {
    en: 'This is the whole amount that the Customer pays for the work described in article 1. Any further work needs a new written agreement.',
    fr: 'Ce montant est la totalité de ce que le Client paie pour les travaux décrits à l’article 1. Tout travail supplémentaire fait l’objet d’un nouvel accord écrit.',
  },
  'pdf.price.payment': {
    en: 'Once the contract is signed, the Provider sends the Customer an e-mail with a link to a secure payment page. The price is due when that e-mail arrives.',
    fr: 'Une fois le contrat signé, le Prestataire envoie au Client un e-mail contenant un lien vers une page de paiement sécurisée. Le prix est exigible à la réception de cet e-mail.',
  },

  'pdf.term': { en: '4. Term', fr: '4. Durée' },
  'pdf.term.start': {
    en: 'This contract takes effect on the day the Customer signs it. Unless it is signed by %deadline%, it lapses and binds neither party.',
    fr: 'Le présent contrat prend effet le jour de sa signature par le Client. S’il n’est pas signé au plus tard le %deadline%, il devient caduc et n’engage aucune des parties.',
  },
  'pdf.term.fixed': {
    en: 'It runs for %term% from the day of signature and then ends without notice.',
    fr: 'Il est conclu pour une durée de %term% à compter du jour de la signature, puis prend fin sans préavis.',
  },
  'pdf.term.open': {
    en: 'It has no fixed end. Either party may end it in writing with one month’s notice.',
    fr: 'Il est conclu sans échéance. Chaque partie peut y mettre fin par écrit, moyennant un préavis d’un mois.',
  },
  'pdf.term.breach': {
    en: 'If a party does not fulfil its obligations and does not put this right within thirty days of a written reminder, the other party may end the contract.',
    fr: 'Si une partie manque à ses obligations et n’y remédie pas dans les trente jours suivant un rappel écrit, l’autre partie peut mettre fin au contrat.',
  },

  'pdf.signature': { en: '5. Signature', fr: '5. Signature' },
  'pdf.signature.text': {
    en: 'The Customer signs this contract electronically. The parties agree that the electronic signature has the same force as a handwritten one. Each party keeps a copy of the signed contract.',
    fr: 'Le Client signe le présent contrat par voie électronique. Les parties conviennent que la signature électronique a la même valeur qu’une signature manuscrite. Chaque partie conserve un exemplaire du contrat signé.',
  },
  'pdf.signature.provider': { en: 'For the Provider', fr: 'Pour le Prestataire' },
  'pdf.signature.customer': { en: 'For the Customer', fr: 'Pour le Client' },
  'pdf.signature.issued': {
    en: 'Issued electronically on %date%',
    fr: 'Émis par voie électronique le %date%',
  },
  'pdf.signature.box': { en: 'Signature', fr: 'Signature' },

  'pdf.page': { en: 'Page %page% of %pages%', fr: 'Page %page% sur %pages%' },
  'payment.product': {
    en: 'Maintenance contract %reference%: %title%',
    fr: 'Contrat de maintenance %reference% : %title%',
  },
  'evidence.title': { en: 'Record of request %reference%', fr: 'Relevé de la demande %reference%' },
  'evidence.made': { en: 'Made on %date%', fr: 'Établi le %date%' },
  'evidence.intro': {
    en: 'This record lists what %firm% has recorded about this request: what was done and by whom, and what the signature provider and the payment provider reported. The attempts of its computer system are in timeline.json. All times are in the time zone %zone%. The documents named here are in the same archive; the SHA-256 digests show that they are the same to the last byte.',
    fr: 'Ce relevé contient ce que %firm% a enregistré sur cette demande : ce qui a été fait et par qui, et ce que le prestataire de signature et le prestataire de paiement ont signalé. Les tentatives de son système informatique figurent dans timeline.json. Toutes les heures sont celles du fuseau horaire %zone%. Les documents cités se trouvent dans la même archive ; les empreintes SHA-256 montrent qu’ils sont identiques à l’octet près.',
  },
  'evidence.parties': { en: 'Customer and equipment', fr: 'Client et équipement' },
  'evidence.email': { en: 'E-mail', fr: 'E-mail' },
  'evidence.subject': { en: 'Subject', fr: 'Objet' },
  'evidence.description': { en: 'Description', fr: 'Description' },
  'evidence.contract': { en: 'Contract %id%', fr: 'Contrat %id%' },
  'evidence.amount': { en: 'Price', fr: 'Prix' },
  'evidence.contract_made': { en: 'Made', fr: 'Établi le' },
  'evidence.sent_to': { en: 'Sent to', fr: 'Envoyé à' },
  'evidence.sign_before': { en: 'Signing deadline', fr: 'Date limite de signature' },
  'evidence.term_end': { en: 'End of the term', fr: 'Fin du contrat' },
  'evidence.sign_id': {
    en: 'ID at the signature provider',
    fr: 'Identifiant chez le prestataire de signature',
  },
  'evidence.signed_sha': { en: 'SHA-256 of the signed document', fr: 'SHA-256 du document signé' },
  'evidence.audit_sha': { en: 'SHA-256 of the audit trail', fr: 'SHA-256 du dossier de preuve' },
  'evidence.payment': { en: 'Payment', fr: 'Paiement' },
  'evidence.paid': { en: 'Paid', fr: 'Payé le' },
  'evidence.payment_id': {
    en: 'ID at the payment provider',
    fr: 'Identifiant chez le prestataire de paiement',
  },
  'evidence.timeline': { en: 'What happened', fr: 'Déroulement' },
  'evidence.timeline_cut': {
    en: 'Only the newest %count% entries are printed here. All entries are in timeline.json.',
    fr: 'Seules les %count% entrées les plus récentes sont imprimées ici. Toutes figurent dans timeline.json.',
  },
  'evidence.by': { en: 'by %who%', fr: 'par %who%' },

  'evidence.actor.webhook': { en: 'a message from a provider', fr: 'un message d’un prestataire' },
  'evidence.actor.schedule': {
    en: 'the scheduled work of this system',
    fr: 'les tâches planifiées de ce système',
  },
  'evidence.actor.job': { en: 'this system', fr: 'ce système' },
  'evidence.actor.provider': { en: 'a provider', fr: 'un prestataire' },
  'evidence.actor.customer': { en: 'the customer', fr: 'le client' },
  'evidence.actor.signal': { en: 'the operator of this system', fr: 'l’exploitant de ce système' },
  'evidence.actor.cli': { en: '%name%, at the command line', fr: '%name%, en ligne de commande' },

  'evidence.mails': { en: 'E-mails sent', fr: 'E-mails envoyés' },
  'evidence.mail_to': { en: 'To %address%', fr: 'À %address%' },

  'evidence.missing': { en: 'What could not be obtained', fr: 'Ce qui n’a pas pu être obtenu' },
  'evidence.missing.offline': {
    en: 'The signature provider was not asked for it.',
    fr: 'Il n’a pas été demandé au prestataire de signature.',
  },
  'evidence.missing.unknown': {
    en: 'The signature provider does not have it.',
    fr: 'Le prestataire de signature ne l’a pas.',
  },
  'evidence.missing.unusable': {
    en: 'The signature provider sent something else in its place.',
    fr: 'Le prestataire de signature a envoyé autre chose à la place.',
  },

  'evidence.check': { en: 'How to check this archive', fr: 'Comment vérifier cette archive' },
  'evidence.check.text': {
    en: 'The file manifest.json lists every file with its SHA-256 digest, which any SHA-256 program can recompute. The command “%command%”, followed by the name of the archive, compares all of them and the archive as a whole. It needs no access to the system that made the archive.',
    fr: 'Le fichier manifest.json donne l’empreinte SHA-256 de chaque fichier ; tout programme de calcul SHA-256 peut la recalculer. La commande « %command% », suivie du nom de l’archive, les compare toutes, ainsi que l’archive dans son ensemble. Elle n’a besoin d’aucun accès au système qui a créé l’archive.',
    command: 'verify',
  },

  'evidence.about.timeline_pdf': { en: 'what happened, for reading', fr: 'le déroulement, à lire' },
  'evidence.about.timeline_json': {
    en: 'what happened, for programs',
    fr: 'le déroulement, pour les programmes',
  },
  'evidence.about.request': {
    en: 'the request and everything that belongs to it',
    fr: 'la demande et tout ce qui s’y rattache',
  },
  'evidence.about.history': {
    en: 'who did what, as it was recorded',
    fr: 'qui a fait quoi, tel que consigné',
  },
  'evidence.about.events': { en: 'what the providers reported', fr: 'ce que les prestataires ont signalé' },
  'evidence.about.mails': {
    en: 'the e-mails sent, for programs',
    fr: 'les e-mails envoyés, pour les programmes',
  },
  'evidence.about.mail': { en: 'e-mail to %address%', fr: 'e-mail à %address%' },
  'evidence.about.account': { en: 'about the account: %part%', fr: 'sur le compte : %part%' },
  'evidence.about.contract': {
    en: 'contract %id% as it was sent',
    fr: 'contrat %id% tel qu’il a été envoyé',
  },
  'evidence.about.signed': { en: 'contract %id%, signed', fr: 'contrat %id%, signé' },
  'evidence.about.audit_pdf': {
    en: 'the signature provider’s audit trail of contract %id%',
    fr: 'dossier de preuve du prestataire de signature pour le contrat %id%',
  },
  'evidence.about.audit_json': {
    en: 'the signature provider’s audit trail of contract %id%, for programs',
    fr: 'dossier de preuve du prestataire de signature pour le contrat %id%, pour les programmes',
  },
});
