/// From knowledge of a peer and a wish to the stacks worth trying, with the reasons.
package org.ibidem.selector;
