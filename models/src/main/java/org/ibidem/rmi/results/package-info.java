/// Results that come one after the other: [Results] is the remote object that gives them,
/// [ResultReader] reads it. Nothing is computed, sent or kept that was not asked for.
package org.ibidem.rmi.results;
