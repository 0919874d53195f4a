/** The fields and filters of lists: on pages, and at the head of files for spreadsheets. */
import { catalogue } from './catalogue.js';

export const lists = catalogue({
  'list.id': { en: 'Number', fr: 'Numéro' },
  'list.username': { en: 'E-mail address', fr: 'Adresse e-mail' },
  'list.name': { en: 'Name', fr: 'Nom' },
  'list.firstName': { en: 'First name', fr: 'Prénom' },
  'list.lastName': { en: 'Last name', fr: 'Nom de famille' },
  'list.phone': { en: 'Phone', fr: 'Téléphone' },
  'list.locale': { en: 'Language', fr: 'Langue' },
  'list.roles': { en: 'Role', fr: 'Rôle' },
  'list.status': { en: 'Status', fr: 'État' },
  'list.createdAt': { en: 'Created', fr: 'Créé le' },
  'list.since': { en: 'Since', fr: 'Depuis' },
  'list.until': { en: 'Before', fr: 'Avant' },
  'list.reference': { en: 'Reference', fr: 'Référence' },
  'list.request': { en: 'Request', fr: 'Demande' },
  'list.customer': { en: 'Customer', fr: 'Client' },
  'list.equipment': { en: 'Equipment', fr: 'Équipement' },
  'list.owner': { en: 'Customer (e-mail address or number)', fr: 'Client (adresse e-mail ou numéro)' },
  'list.search_requests': { en: 'Words, or what names a request', fr: 'Mots, ou ce qui désigne une demande' },
  'list.search_users': {
    en: 'Any part of a name, e-mail address or phone number',
    fr: 'Partie d’un nom, d’une adresse e-mail ou d’un numéro de téléphone',
  },
  'role.ROLE_USER': { en: 'Customer', fr: 'Client' },
  'role.ROLE_ADMIN': { en: 'Administrator', fr: 'Administrateur' },
});
