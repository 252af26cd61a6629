/// One package below this one for each application. Nothing depends on them.
package org.ibidem.apps;
